import { isTargetFormat, type TargetFormat } from '@pixelmill/codecs/image-formats'
import { type CompressSettings, requestOf } from '../compress/settings.ts'
import type { Params } from '../playground/send-image.ts'

/** A small copy of the picture, and what is asked of it. */
interface Copy {
  /** Of the whole picture, in pixels. */
  readonly pictureWidth: number
  /** The format that stands for a choice of the service's: that of the last encode. */
  readonly format: TargetFormat | undefined
  /** How many times as many bytes a pixel of the copy takes as one of the picture, about. */
  readonly weight: number
}

/** Fewer bytes for more CPU is what these are encoded with: an estimate has its own, and is scaled. */
const EFFORT_FORMATS: readonly string[] = ['avif', 'jpeg']

/** The fields of POST /api/user/previews for what settings make of the copy. A single format takes a third of the time of a choice. */
export function copyRequest(settings: CompressSettings, { pictureWidth, format, weight }: Copy): Params {
  const isChoice = settings.format === 'best' || settings.format === 'same'
  // The service takes the copy's share of the bytes by its pixels.
  const ofCopy = {
    ...settings,
    format: isChoice ? (format ?? settings.format) : settings.format,
    mostKilobytes: settings.mostKilobytes * weight,
  }
  const { path, params } = requestOf(ofCopy)
  if (typeof params.recipe === 'string') return { pictureWidth, recipe: params.recipe }
  const effort = EFFORT_FORMATS.includes(ofCopy.format) && { effort: 'fast' }
  return { pictureWidth, operation: path.split('/').at(-1) ?? '', params: JSON.stringify({ ...params, ...effort }) }
}

/** The format of a media type, if the service writes it. */
export function targetFormatOf(type: string): TargetFormat | undefined {
  const name = type.replace('image/', '')
  return isTargetFormat(name as TargetFormat) ? (name as TargetFormat) : undefined
}
