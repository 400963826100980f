import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { writtenFormats } from '@pixelmill/codecs/image-formats'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import { type ImgproxyOptions, nameOf } from './options.ts'

/** The name of the watermark's file in the recipe. */
export const WATERMARK_FILE = 'watermark'

const positions: Readonly<Record<string, string>> = {
  north: 'top',
  northeast: 'top-right',
  east: 'right',
  southeast: 'bottom-right',
  south: 'bottom',
  southwest: 'bottom-left',
  west: 'left',
  northwest: 'top-left',
}

/**
 * What imgproxy would make of the options, in the order of its pipeline.
 * @throws ApiError invalid_params for what is not supported, or out of our ranges
 */
export function recipeOf(requestedOptions: ImgproxyOptions, hasWatermark: boolean): Recipe {
  const { crop, rotate, flip, flop, gravity, watermark } = requestedOptions
  if (watermark && !hasWatermark)
    throw invalidParam('watermark', 'custom', 'Is not supported here: IMGPROXY_WATERMARK_PATH is not set.')
  const steps = [
    // imgproxy crops before it turns, but by places in the turned picture.
    ...(rotate === 0 ? [] : [{ rotate: { angle: rotate } }]),
    ...(flip ? [{ flip: {} }] : []),
    ...(flop ? [{ flop: {} }] : []),
    ...(crop ? [{ crop: { width: crop.width, height: crop.height, gravity: crop.gravity ?? gravity } }] : []),
    ...resizeOf(requestedOptions),
    ...(requestedOptions.blur > 0 ? [{ blur: { sigma: requestedOptions.blur } }] : []),
    ...(requestedOptions.sharpen > 0 ? [{ sharpen: { sigma: requestedOptions.sharpen } }] : []),
    ...(requestedOptions.background === undefined ? [] : [{ background: { color: requestedOptions.background } }]),
    ...(watermark ? [{ watermark: markOf(watermark) }] : []),
  ]
  const format = formatOf(requestedOptions.format)
  const output = {
    steps,
    format,
    ...qualityOf(requestedOptions, format),
    ...(requestedOptions.dpr !== 1 && { dpr: requestedOptions.dpr }),
    metadata: requestedOptions.stripsMetadata ? (requestedOptions.keepsCopyright ? 'copyright' : 'none') : 'all',
    icc: requestedOptions.stripsProfile ? 'srgb' : 'keep',
  }
  try {
    return parseJson(recipeSchema, { outputs: [output] })
  } catch (error) {
    throw inOptions(error)
  }
}

function resizeOf({ type, width, height, enlarge, dpr, gravity }: ImgproxyOptions) {
  if (width === 0 && height === 0) return []
  if (dpr < 1 && !enlarge) throw invalidParam('dpr', 'custom', 'Below 1 it is supported with enlarge only.')
  const box = { ...(width > 0 && { width }), ...(height > 0 && { height }), enlarge }
  if (type === 'force' && !(enlarge && width > 0 && height > 0))
    throw invalidParam('resizing_type', 'custom', 'force is supported with both sides and enlarge only.')
  const fit = { fit: 'inside', fill: 'cover', force: 'fill' }[type]
  return [{ resize: { ...box, fit, ...(type === 'fill' && { gravity }) } }]
}

const markOf = ({ opacity, position, scale }: NonNullable<ImgproxyOptions['watermark']>) => ({
  image: WATERMARK_FILE,
  opacity: opacity * 100,
  scale,
  scaleBy: 'box',
  ...(position === 're' ? { tile: true, spacing: 0, position: 'center' } : { position: positions[position] ?? 'center' }),
})

function formatOf(format: string | undefined): string {
  if (format === undefined) return 'same'
  const name = nameOf(format)
  if ((writtenFormats as readonly string[]).includes(name)) return name
  throw invalidParam('format', 'custom', `Of the formats, ${writtenFormats.join(', ')} are supported.`)
}

function qualityOf({ quality, formatQuality, maxBytes }: ImgproxyOptions, format: string) {
  if (quality === 0 && formatQuality.size > 0 && format === 'same')
    throw invalidParam('format_quality', 'custom', 'Is supported beside a format only.')
  const chosenCount = quality > 0 ? quality : formatQuality.get(format)
  return { ...(chosenCount && { quality: chosenCount }), ...(maxBytes > 0 && { maxBytes }) }
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
