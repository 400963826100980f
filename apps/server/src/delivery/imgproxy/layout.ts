import type { Size } from '@pixelmill/codecs/pixels/size'
import { type Corner, cornerOf, type Gravity, halfToEven } from './gravity.ts'
import type { Extension, ImgproxyOptions, Padding } from './requested.ts'

/** A part of a picture, by a corner, or by what is most salient in it. */
export interface Part extends Size {
  readonly at: Corner | 'subject'
}

/** The sizes on the way from a picture to the result, each undefined where nothing changes. */
export interface Layout {
  /** What is cut out before scaling. */
  readonly region: Part | undefined
  readonly scaledSize: Size | undefined
  /** What is cut out after scaling. */
  readonly cut: Part | undefined
  /** What is added around. */
  readonly border: Padding | undefined
  /** Of the result. */
  readonly size: Size
  /** By what offsets and padding are multiplied: less than asked for where the picture has too few pixels. */
  readonly dpr: number
}

/**
 * The sizes that imgproxy gives to a picture, as its documentation and its tests state them.
 * @param picture as displayed, and after `rotate`
 */
export function layoutOf(picture: Size, options: ImgproxyOptions): Layout {
  const { gravity, crop } = options
  const region = crop && partOf(picture, cropSize(picture, crop), crop.gravity ?? gravity, 1)
  const from: Size = region ?? picture
  const { scale, dpr } = scaleOf(from, options)
  const fullSize = { width: scaledSide(from.width, scale.x), height: scaledSide(from.height, scale.y) }
  const target = {
    width: times(options.width, dpr * options.zoom.x),
    height: times(options.height, dpr * options.zoom.y),
  }
  const cutSize = options.type === 'fill-down' && !options.enlarge ? inRatioOf(target, fullSize) : target
  const cut = partOf(fullSize, cutSize, gravity, dpr)
  const content: Size = cut ?? fullSize
  const border = borderOf(content, target, options, dpr)
  return {
    region,
    scaledSize: isSame(fullSize, from) ? undefined : fullSize,
    cut,
    border,
    size: border ? withBorder(content, border) : { width: content.width, height: content.height },
    dpr,
  }
}

const times = (length: number, factor: number): number => Math.round(length * factor)
const scaledSide = (length: number, factor: number): number => Math.max(1, times(length, factor))
const isSame = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height

/** The part that a smaller size keeps; a side of 0 is the whole one. Undefined where all is kept. */
function partOf(whole: Size, { width, height }: Size, gravity: Gravity, dpr: number): Part | undefined {
  const size = { width: Math.min(width || whole.width, whole.width), height: Math.min(height || whole.height, whole.height) }
  if (isSame(size, whole)) return undefined
  return { ...size, at: gravity === 'subject' ? gravity : cornerOf(whole, size, gravity, dpr) }
}

function cropSize(picture: Size, crop: Size): Size {
  const side = (length: number, whole: number) => (length >= 1 || length === 0 ? Math.floor(length) : scaledSide(whole, length))
  return { width: side(crop.width, picture.width), height: side(crop.height, picture.height) }
}

interface Factors {
  readonly x: number
  readonly y: number
}

/** By what the sides are multiplied, with the density that can be reached. */
function scaleOf(from: Size, options: ImgproxyOptions): { readonly scale: Factors; readonly dpr: number } {
  const fitFactors = fittedShrink(from, options)
  const zoomFactors = { x: fitFactors.x / options.zoom.x, y: fitFactors.y / options.zoom.y }
  const boundFactors = options.enlarge ? { shrink: zoomFactors, dpr: options.dpr } : withoutEnlarging(zoomFactors, options)
  const { x, y } = atLeast(from, boundFactors.shrink, options)
  const { dpr } = boundFactors
  return { scale: { x: 1 / Math.min(x / dpr, from.width), y: 1 / Math.min(y / dpr, from.height) }, dpr }
}

/** By what the sides are divided to fit into the box or to fill it. */
function fittedShrink(from: Size, { type, width, height }: ImgproxyOptions): Factors {
  const x = width === 0 ? 1 : from.width / width
  const y = height === 0 ? 1 : from.height / height
  if (type === 'force') return { x, y }
  if (width === 0) return { x: y, y }
  if (height === 0) return { x, y: x }
  const isSameTurn = from.width >= from.height === width >= height
  const covers = type === 'fill' || type === 'fill-down' || (type === 'auto' && isSameTurn)
  const both = covers ? Math.min(x, y) : Math.max(x, y)
  return { x: both, y: both }
}

/** Where the picture is smaller than asked for, it keeps its size, and the density falls by as much. */
function withoutEnlarging(shrink: Factors, { dpr: askedDpr, extend }: ImgproxyOptions) {
  const least = Math.min(shrink.x, shrink.y)
  const lacking = Math.min(1, least)
  const boundFactors = { x: shrink.x / lacking, y: shrink.y / lacking }
  // On a canvas of a fixed size the composition is the same at every density.
  const dpr = extend ? askedDpr : askedDpr / lacking
  return { shrink: boundFactors, dpr: Math.min(dpr, boundFactors.x, boundFactors.y) }
}

/** No side becomes shorter than its minimum, the other follows. */
function atLeast(from: Size, { x, y }: Factors, { minWidth, minHeight }: ImgproxyOptions): Factors {
  const across = minWidth > 0 ? Math.min(1, from.width / minWidth / x) : 1
  const down = minHeight > 0 ? Math.min(1, from.height / minHeight / (y * across)) : 1
  return { x: x * across * down, y: y * across * down }
}

/** Of a picture smaller than the target, the largest part of the target's ratio. */
function inRatioOf(target: Size, picture: Size): Size {
  const lackX = target.width / picture.width
  const lackY = target.height / picture.height
  if (lackX > lackY && lackX > 1) return { width: picture.width, height: times(picture.width, target.height / target.width) }
  if (lackY > lackX && lackY > 1) return { width: times(picture.height, target.width / target.height), height: picture.height }
  return target
}

function borderOf(content: Size, target: Size, options: ImgproxyOptions, dpr: number): Padding | undefined {
  const toTarget = options.extend ? extension(content, target, options.extend, dpr) : undefined
  const afterExtend = toTarget ? withBorder(content, toTarget) : content
  const toRatio = options.extendRatio ? ratioExtension(content, afterExtend, target, options.extendRatio, dpr) : undefined
  const scaledPadding = mapSides(options.padding, (length) => halfToEven(length * dpr))
  const all = [toTarget, toRatio, scaledPadding].reduce<Padding>(
    (sum, sides) => (sides ? mapSides(sum, (length, side) => length + sides[side]) : sum),
    NO_PADDING,
  )
  return Object.values(all).every((length) => length === 0) ? undefined : all
}

const NO_PADDING: Padding = { top: 0, right: 0, bottom: 0, left: 0 }

const mapSides = (sides: Padding, change: (length: number, side: keyof Padding) => number): Padding => ({
  top: change(sides.top, 'top'),
  right: change(sides.right, 'right'),
  bottom: change(sides.bottom, 'bottom'),
  left: change(sides.left, 'left'),
})

const withBorder = ({ width, height }: Size, { top, right, bottom, left }: Padding): Size => ({
  width: width + left + right,
  height: height + top + bottom,
})

/** What makes a picture as large as a canvas, where it is smaller. */
function extension(content: Size, canvas: Size, { gravity }: Extension, dpr: number): Padding | undefined {
  if (canvas.width <= content.width && canvas.height <= content.height) return undefined
  const whole = { width: Math.max(canvas.width, content.width), height: Math.max(canvas.height, content.height) }
  const { left, top } = cornerOf(whole, content, gravity, dpr)
  return { left, top, right: whole.width - content.width - left, bottom: whole.height - content.height - top }
}

/** The same, for a canvas in the ratio of the target. */
function ratioExtension(content: Size, canvasSize: Size, target: Size, extend: Extension, dpr: number): Padding | undefined {
  if (target.width === 0 || target.height === 0) return undefined
  const lackX = target.width / content.width
  const lackY = target.height / content.height
  if (lackX === lackY) return undefined
  const canvas =
    lackY > lackX
      ? { width: content.width, height: times(content.width, target.height / target.width) }
      : { width: times(content.height, target.width / target.height), height: content.height }
  return extension(canvasSize, canvas, extend, dpr)
}
