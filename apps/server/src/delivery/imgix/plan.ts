import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { cutRegion, requireSquare } from '../dialects/frames.ts'
import { asStored, type Original, orient } from '../dialects/original.ts'
import type { PlannedRecipe } from '../dialects/prepare.ts'
import { Sketch } from '../dialects/sketch.ts'
import { factorOf, sigmaOf } from '../dialects/values.ts'
import { frame } from './frame.ts'
import { layMark } from './mark.ts'
import type { ImgixOptions, Rect } from './options.ts'

/**
 * What imgix would make of an original, in the order that it documents: trim, orientation, rect, size, rotation, adjustments, padding.
 * @throws ApiError invalid_params for what is not supported of this picture
 */
export function imgixRecipe(options: ImgixOptions, original: Original): PlannedRecipe {
  const sketch = new Sketch(original)
  // The border was looked for in the picture as displayed.
  if (options.trim) cutRegion(sketch, trimmedRegion(original, options.trimPadding), { parameter: 'trim' })
  if (options.orient !== undefined) {
    asStored(sketch, original)
    orient(sketch, options.orient)
  }
  if (options.rect) cutRegion(sketch, regionOf(options.rect, sketch.size), { parameter: 'rect' })
  if (options.flop) sketch.add('flip', { flop: {} })
  if (options.flip) sketch.add('flip', { flip: {} })
  const padding = paddingOf(options)
  frame(sketch, options, padding)
  if (options.rotate) rotateInside(sketch, options.rotate)
  adjust(sketch, options)
  layMark(sketch, options, original)
  applyMask(sketch, options)
  drawBorder(sketch, options)
  if (Object.values(padding).some((length) => length > 0))
    sketch.add('pad', { extend: { ...padding, ...(options.background !== undefined && { background: options.background }) } })
  if (options.background !== undefined) sketch.add('bg', { background: { color: options.background } })
  const recipe = parseJson(recipeSchema, { outputs: [{ steps: sketch.steps, ...writingOf(options) }] })
  return { recipe, drawings: sketch.drawings }
}

/** The recipe without steps. */
export const recipeOfFormat = (options: ImgixOptions): Recipe => parseJson(recipeSchema, { outputs: [writingOf(options)] })

const ofFormat: ReadonlySet<string> = new Set(['format', 'isAuto', 'quality', 'lossless', 'expires', 'fileName'])

/** Whether nothing is asked that depends on the picture. */
export const isOfFormatOnly = (options: ImgixOptions): boolean => Object.keys(options).every((name) => ofFormat.has(name))

/** What trim leaves, with some of the border. */
function trimmedRegion({ width, height, trimmedBox }: Original, padding = 0) {
  const { left, top, ...size } = trimmedBox ?? { left: 0, top: 0, width, height }
  return { x: left - padding, y: top - padding, width: size.width + 2 * padding, height: size.height + 2 * padding }
}

function applyMask(sketch: Sketch, { mask, cornerRadius = 0, dpr = 1 }: ImgixOptions): void {
  if (mask === 'ellipse') {
    requireSquare(sketch, 'mask')
    sketch.add('mask', { roundCorners: { radius: 'max' } })
  }
  if (mask === 'corners' && cornerRadius > 0) sketch.add('corner-radius', { roundCorners: { radius: cornerRadius * dpr } })
}

/** A border lies over the picture, whose size it does not change. */
function drawBorder(sketch: Sketch, { border, borderColour, dpr = 1 }: ImgixOptions): void {
  if (border === undefined || borderColour === undefined) return
  const { width, height } = sketch.size
  const side = Math.min(Math.round(border * dpr), Math.ceil(Math.min(width, height) / 2) - 1)
  if (side < 1) return
  sketch.add('border', { crop: { x: side, y: side, width: width - 2 * side, height: height - 2 * side } })
  sketch.add('border', { extend: { left: side, right: side, top: side, bottom: side, background: borderColour } })
}

function regionOf({ x, y, width, height }: Rect, size: Size) {
  const lengthOf = (length: number, whole: number) => Math.max(1, Math.round(length <= 1 ? length * whole : length))
  const region = { width: lengthOf(width, size.width), height: lengthOf(height, size.height) }
  const offsetOf = (at: Rect['x'], free: number, whole: number) => {
    if (typeof at === 'number') return Math.round(at > 0 && at < 1 ? at * whole : at)
    return { start: 0, middle: Math.max(0, Math.round(free / 2)), end: Math.max(0, free) }[at]
  }
  return {
    ...region,
    x: offsetOf(x, size.width - region.width, size.width),
    y: offsetOf(y, size.height - region.height, size.height),
  }
}

const paddingOf = ({ pad = 0, padTop = pad, padRight = pad, padBottom = pad, padLeft = pad, dpr = 1 }: ImgixOptions) => {
  const times = (length: number) => Math.round(length * dpr)
  return { top: times(padTop), right: times(padRight), bottom: times(padBottom), left: times(padLeft) }
}

/** Up to a whole pixel, but for what sines and cosines are wrong by. */
const covering = (length: number): number => Math.ceil(length - 1e-6)

/** Turned within its frame, and zoomed until it covers it. */
function rotateInside(sketch: Sketch, counterClockwise: number): void {
  const { width, height } = sketch.size
  const radians = (counterClockwise * Math.PI) / 180
  const cos = Math.abs(Math.cos(radians))
  const sin = Math.abs(Math.sin(radians))
  const zoom = Math.max(cos + (height / width) * sin, cos + (width / height) * sin)
  const zoomedSize = { width: covering(width * zoom), height: covering(height * zoom) }
  if (zoomedSize.width > width || zoomedSize.height > height) sketch.add('rot', { resize: { ...zoomedSize, fit: 'fill' } })
  sketch.add('rot', { rotate: { angle: 360 - counterClockwise } })
  if (sketch.size.width !== width || sketch.size.height !== height) sketch.add('rot', { crop: { width, height } })
}

function adjust(sketch: Sketch, options: ImgixOptions): void {
  const { brightness = 0, saturation = 0, hue = 0, tint, blur = 0, sharpen = 0, unsharpAmount = 0, unsharpRadius = 2.5 } = options
  if (options.contrast) sketch.add('con', { contrast: { amount: options.contrast } })
  if (options.vibrance) sketch.add('vib', { vibrance: { amount: options.vibrance } })
  if (options.isNegative) sketch.add('invert', { negate: {} })
  if (options.sepia) sketch.add('sepia', { sepia: { amount: options.sepia } })
  if (brightness !== 0) sketch.add('bri', { modulate: { lightness: brightness / 2 } })
  if (saturation !== 0) sketch.add('sat', { modulate: { saturation: factorOf(saturation) } })
  if (hue % 360 !== 0) sketch.add('hue', { modulate: { hue: hue % 360 } })
  if (sharpen > 0) sketch.add('sharp', { sharpen: { sigma: 1, amount: sharpen / 20 } })
  if (unsharpAmount > 0) {
    const sigma = Math.min(10, Math.max(0.3, unsharpRadius))
    sketch.add('usm', { sharpen: { sigma, amount: unsharpAmount / 20 } })
  }
  if (tint !== undefined) sketch.add('monochrome', { tint: { color: tint } })
  const sigma = sigmaOf(blur, BLUR_PER_SIGMA)
  if (sigma !== undefined) sketch.add('blur', { blur: { sigma } })
  if (options.blockSize) sketch.add('px', { pixelate: { size: Math.max(1, options.blockSize) } })
}

const BLUR_PER_SIGMA = 10

function writingOf({ format, isAuto, quality, lossless }: ImgixOptions) {
  if (lossless && (isAuto || (format !== 'png' && format !== 'gif' && format !== 'tiff')))
    throw invalidParam('lossless', 'custom', '"1" is supported with fm=png, gif or tiff.')
  return { format: isAuto ? 'auto' : (format ?? 'same'), ...(quality !== undefined && { quality }) }
}
