import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Size } from '@pixelmill/codecs/pixels/size'
import {
  atLeastOne,
  coverBox,
  cutRegion,
  isWhole,
  largestOfRatio,
  type PartialBox,
  scaleInto,
  scaleTo,
  surroundTo,
  withRatio,
} from '../dialects/frames.ts'
import type { Sketch } from '../dialects/sketch.ts'
import type { ImgixFit, ImgixOptions } from './options.ts'

interface Padding {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

/** Scales and cuts to w and h as `fit` says; padding lies inside of them. */
export function frame(sketch: Sketch, options: ImgixOptions, padding: Padding): void {
  const { fit = 'clip' } = options
  const box = withinPadding(boxOf(sketch.size, options, fit), padding)
  if (box.width === undefined && box.height === undefined) return
  if (isWhole(box)) rows[fit](sketch, box, options)
  // Its canvas is as large as asked for, whatever the picture.
  else if (fit === 'fillmax') fill(sketch, naturalSize(box, sketch.size), options, false)
  else scaleInto(sketch, box, { parameter: 'w', enlarge: !shrinkingOnly.has(fit) })
}

type Row = (sketch: Sketch, box: Size, options: ImgixOptions) => void

/** What each value of fit makes of a picture and a box. */
const rows: Readonly<Record<ImgixFit, Row>> = {
  clip: (sketch, box) => scaleInto(sketch, box, { parameter: 'w', enlarge: true }),
  max: (sketch, box) => scaleInto(sketch, box, { parameter: 'w', enlarge: false }),
  scale: (sketch, box) => scaleTo(sketch, box, { parameter: 'w' }),
  crop,
  min: (sketch, box, options) => crop(sketch, reducedTo(sketch.size, box), options),
  fill: (sketch, box, options) => fill(sketch, box, options, true),
  fillmax: (sketch, box, options) => fill(sketch, box, options, false),
}

function fill(sketch: Sketch, box: Size, options: ImgixOptions, enlarge: boolean): void {
  const { width, height } = sketch.size
  scaleInto(sketch, box, { parameter: 'w', enlarge })
  const canvas =
    options.isCanvasBounded && !enlarge ? { width: Math.min(width, box.width), height: Math.min(height, box.height) } : box
  surroundTo(sketch, canvas, { parameter: 'fit', across: 0.5, down: 0.5, ...backgroundOf(options) })
}

/** Those that never enlarge. */
const shrinkingOnly: ReadonlySet<ImgixFit> = new Set(['max', 'min', 'fillmax'])

const backgroundOf = ({ background, fillColour = background }: ImgixOptions) => {
  return fillColour === undefined ? {} : { background: fillColour }
}

/** The box in pixels of the result. */
function boxOf(size: Size, options: ImgixOptions, fit: ImgixFit): PartialBox {
  const { width, height, ratio, dpr = 1 } = options
  const pixels = (length: number | undefined, whole: number) =>
    length === undefined ? undefined : atLeastOne(length < 1 ? length * whole : length * dpr)
  const askedBox = { width: pixels(width, size.width), height: pixels(height, size.height) }
  if (fit !== 'crop' && fit !== 'fill') return askedBox
  if (ratio !== undefined && askedBox.width === undefined && askedBox.height === undefined) {
    if (fit === 'crop') return bounds(largestOfRatio(size, ratio), size, options)
    throw invalidParam('ar', 'custom', 'With fit=fill it is supported beside w or h only.')
  }
  const box = withRatio(askedBox, ratio)
  return fit === 'crop' ? bounds(box, size, options) : box
}

/** Within the minimum and maximum of each side, which fit=crop has. */
function bounds(box: PartialBox, size: Size, options: ImgixOptions): PartialBox {
  const { leastWidth, leastHeight, mostWidth, mostHeight, dpr = 1 } = options
  if (leastWidth === undefined && leastHeight === undefined && mostWidth === undefined && mostHeight === undefined) return box
  const natural = naturalSize(box, size)
  const within = (length: number, least = 1, most = Number.POSITIVE_INFINITY) =>
    Math.min(Math.max(length, Math.round(least)), Math.round(most))
  const times = (length: number | undefined) => length && length * dpr
  return {
    width: within(natural.width, times(leastWidth), times(mostWidth)),
    height: within(natural.height, times(leastHeight), times(mostHeight)),
  }
}

function naturalSize({ width, height }: PartialBox, size: Size): Size {
  if (width === undefined && height === undefined) return size
  return {
    width: width ?? atLeastOne((size.width * (height ?? 1)) / size.height),
    height: height ?? atLeastOne((size.height * (width ?? 1)) / size.width),
  }
}

const withinPadding = ({ width, height }: PartialBox, { top, right, bottom, left }: Padding): PartialBox => ({
  width: width && inside('w', width, left + right),
  height: height && inside('h', height, top + bottom),
})

function inside(parameter: string, length: number, padding: number): number {
  if (length - padding >= 1) return length - padding
  throw invalidParam('pad', 'custom', `Must leave room within ${parameter}.`)
}

/** The box in its ratio, at most as large as the picture. */
function reducedTo(size: Size, box: Size): Size {
  const factor = Math.min(1, size.width / box.width, size.height / box.height)
  return { width: atLeastOne(box.width * factor), height: atLeastOne(box.height * factor) }
}

function crop(sketch: Sketch, box: Size, { crop: mode, focusX = 0.5, focusY = 0.5, focusZoom = 1 }: ImgixOptions): void {
  const focus = { x: focusX, y: focusY }
  if (mode === 'focalpoint' && focusZoom > 1) zoom(sketch, box, focus, focusZoom)
  else coverBox(sketch, box, { parameter: 'crop', gravity: mode === 'focalpoint' ? focus : (mode ?? 'center') })
}

/** Shows a smaller part around the point. */
function zoom(sketch: Sketch, box: Size, focus: { readonly x: number; readonly y: number }, by: number): void {
  const { width, height } = sketch.size
  const share = Math.min(width / box.width, height / box.height) / by
  const window = { width: atLeastOne(box.width * share), height: atLeastOne(box.height * share) }
  const corner = (at: number, side: number, whole: number) =>
    Math.round(Math.min(Math.max(0, at * whole - side / 2), whole - side))
  const x = corner(focus.x, window.width, width)
  const y = corner(focus.y, window.height, height)
  cutRegion(sketch, { x, y, ...window }, { parameter: 'fp-z' })
  scaleTo(sketch, box, { parameter: 'fp-z' })
}
