import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { writtenFormats } from '@pixelmill/codecs/image-formats'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import { directions, type Gravity } from './gravity.ts'
import type { Layout, Part } from './layout.ts'
import { nameOf } from './options/file.ts'
import type { ImgproxyOptions } from './requested.ts'

/** Steps as they are sent. */
export type Steps = readonly object[]

/**
 * A recipe of one output, of the format and the quality that are asked for.
 * @param sourceFormat where it is known
 * @throws ApiError invalid_params for what is not supported, or out of our ranges
 */
export function recipeOf(options: ImgproxyOptions, steps: Steps, sourceFormat?: string): Recipe {
  const format = formatOf(options.format)
  const quality = options.quality || options.formatQuality[format === 'same' ? (sourceFormat ?? '') : format]
  const output = {
    steps,
    format,
    ...(quality && { quality }),
    ...(options.maxBytes > 0 && { maxBytes: options.maxBytes }),
    metadata: options.stripsMetadata ? (options.keepsCopyright ? 'copyright' : 'none') : 'all',
    icc: options.stripsProfile ? 'srgb' : 'keep',
    ...(!options.keepsHdr && { hdr: 'drop' }),
  }
  try {
    return parseJson(recipeSchema, { outputs: [output] })
  } catch (error) {
    throw inOptions(error)
  }
}

function formatOf(format: string | undefined): string {
  if (format === undefined) return 'same'
  const name = nameOf(format)
  if ((writtenFormats as readonly string[]).includes(name)) return name
  throw invalidParam('format', 'custom', `Of the formats, ${writtenFormats.join(', ')} are supported.`)
}

/** Of a picture whose border is cut off and which is turned: the steps in the order of imgproxy’s pipeline, without the watermark. */
export function stepsOf(options: ImgproxyOptions, { region, scaledSize, cut, border }: Layout): Steps {
  const { rotate, flip, flop, blur, sharpen, pixelate, background } = options
  return [
    // imgproxy crops before it turns, but by places in the turned picture.
    ...(rotate === 0 ? [] : [{ rotate: { angle: rotate } }]),
    ...(flip ? [{ flip: {} }] : []),
    ...(flop ? [{ flop: {} }] : []),
    ...(region ? [{ crop: cropOf(region) }] : []),
    ...scalingOf(scaledSize, cut, options.gravity),
    ...(blur > 0 ? [{ blur: { sigma: blur } }] : []),
    ...(sharpen > 0 ? [{ sharpen: { sigma: sharpen } }] : []),
    ...(pixelate > 1 ? [{ pixelate: { size: pixelate } }] : []),
    ...(border ? [{ extend: border }] : []),
    ...(background === undefined ? [] : [{ background: { color: background } }]),
  ]
}

const cropOf = ({ width, height, at }: Part) => ({
  width,
  height,
  ...(at === 'subject' ? { gravity: at } : { x: at.left, y: at.top }),
})

/** One step where a picture covers its box, which is decoded at a smaller size then. */
function scalingOf(scaledSize: Size | undefined, cut: Part | undefined, gravity: Gravity): Steps {
  const crop = cut ? [{ crop: cropOf(cut) }] : []
  if (!scaledSize) return crop
  const word = cut && wordOf(gravity, scaledSize, cut)
  const covers = cut !== undefined && (cut.width === scaledSize.width || cut.height === scaledSize.height)
  if (covers && word) return [{ resize: { width: cut.width, height: cut.height, fit: 'cover', gravity: word } }]
  return [{ resize: { width: scaledSize.width, height: scaledSize.height, fit: 'fill' } }, ...crop]
}

/** A gravity as a recipe has it, if it cuts at the same place: a recipe rounds halves up, imgproxy to the even pixel. */
function wordOf(gravity: Gravity, whole: Size, { width, height, at }: Part): string | undefined {
  if (gravity === 'subject' || at === 'subject') return 'subject'
  if ('point' in gravity) return undefined
  const { across, down, word } = directions[gravity.direction]
  const free = { start: () => 0, middle: (length: number) => (length + 1) >> 1, end: (length: number) => length }
  const isSame = at.left === free[across](whole.width - width) && at.top === free[down](whole.height - height)
  return isSame ? word : undefined
}

const MOST_SIDE = limits.side.max

/** @throws ApiError invalid_params for a result with longer sides than any door makes */
export function requireSides({ width, height }: Size): void {
  if (width > MOST_SIDE)
    throw invalidParam('width', 'too_big', `The result would be ${width} pixels wide; at most ${MOST_SIDE} are made.`)
  if (height > MOST_SIDE)
    throw invalidParam('height', 'too_big', `The result would be ${height} pixels high; at most ${MOST_SIDE} are made.`)
}

/** An error of the recipe, with the names of options: their last part is that of imgproxy or near to it. */
export function inOptions(error: unknown): unknown {
  if (!(isRefusal(error) && error.issues)) return error
  const issues = error.issues.map(({ path, ...issue }) => ({
    ...issue,
    path: path.filter((part) => typeof part === 'string').slice(-2),
  }))
  return new ApiError('invalid_params', {
    issues,
    message: issues.map(({ path, message }) => `${path.join(' ')}: ${message}`).join(' '),
  })
}
