import type { TargetFormat } from '@pixelmill/codecs/image-formats'
import type { Params } from '../playground/send-image.ts'

/** `best` is the smallest of what browsers read; `same` keeps the format of each picture. */
export type CompressFormat = TargetFormat | 'best' | 'same'

/** `look`: looks the same, with the fewest bytes; `quality`: a number; `bytes`: looks the same if that fits, else the best that does. */
export type CompressTarget = 'look' | 'quality' | 'bytes'

/** What is made of every picture. */
export interface CompressSettings {
  readonly format: CompressFormat
  readonly target: CompressTarget
  /** The SSIMULACRA2 score to reach, 30 to 95; used by the target `look`, and as the most by `bytes`. */
  readonly score: number
  /** 1 to 100; used by the target `quality`. */
  readonly quality: number
  /** The most bytes of a result, in kB of 1,000 bytes; used by the target `bytes`. */
  readonly mostKilobytes: number
  /** The longest side of a result in pixels, which never enlarges a picture; undefined keeps the size. */
  readonly longestSide: number | undefined
}

/** The SSIMULACRA2 score that cannot be told from the original side by side. */
export const LOOKS_THE_SAME = 80

export const firstSettings: CompressSettings = {
  format: 'best',
  target: 'look',
  score: LOOKS_THE_SAME,
  quality: 75,
  mostKilobytes: 200,
  longestSide: undefined,
}

/** The quality of POST /api/v1/optimize, which is reached by SSIM, that looks the same. */
const OPTIMIZED_LOOK = 85

/** A request that makes one picture: its path, and its parameters for `sendImage`. */
export interface CompressRequest {
  readonly path: string
  readonly params: Params
}

export function requestOf(settings: CompressSettings): CompressRequest {
  if (settings.longestSide !== undefined) return { path: '/api/v3/images', params: { recipe: recipeOf(settings) } }
  if (settings.format === 'same') return { path: '/api/v1/optimize', params: optimizeFields(settings) }
  return { path: '/api/v1/convert', params: { format: settings.format, ...levelOf(settings) } }
}

/** The fields of a batch that makes the same of each picture as `requestOf` does. */
export function batchFieldsOf(settings: CompressSettings): Readonly<Record<string, string>> {
  const isOptimized = settings.format === 'same' && settings.longestSide === undefined
  const fields = isOptimized ? { optimize: true, ...optimizeFields(settings) } : { recipe: recipeOf(settings) }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function recipeOf(settings: CompressSettings): string {
  const { format, longestSide } = settings
  const steps =
    longestSide === undefined ? [] : [{ resize: { width: longestSide, height: longestSide, fit: 'inside', enlarge: false } }]
  return JSON.stringify({ steps, outputs: [{ format, ...levelOf(settings) }] })
}

function optimizeFields({ target, quality, mostKilobytes }: CompressSettings): Params {
  if (target === 'quality') return { quality }
  return { quality: OPTIMIZED_LOOK, ...(target === 'bytes' && { maxBytes: mostKilobytes * 1000 }) }
}

function levelOf({ format, target, score, quality, mostKilobytes }: CompressSettings): Params {
  if (target === 'quality') return { quality }
  // PNG without a quality is lossless, and the API knows no score of it; `same` may be PNG.
  const hasScore = format !== 'png' && format !== 'same'
  const look = hasScore ? { visualQuality: score } : format === 'same' ? { quality: OPTIMIZED_LOOK } : {}
  return { ...look, ...(target === 'bytes' && { maxBytes: mostKilobytes * 1000 }) }
}

/** The settings as text, for comparison. */
export const fingerprintOf = (settings: CompressSettings): string => JSON.stringify(requestOf(settings))
