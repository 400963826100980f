import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { type Fit, type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import type { Sketch } from './sketch.ts'
import type { Gravity } from './values.ts'

/** What a URL asks to be shown, and the parameter that says so. */
interface Asked {
  readonly parameter: string
}

/** A box in pixels, of which one side may follow from the other. */
export interface PartialBox {
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Scales to exactly this size. */
export function scaleTo(sketch: Sketch, { width, height }: Size, { parameter }: Asked): void {
  if (width === sketch.size.width && height === sketch.size.height) return
  sketch.add(parameter, { resize: { width, height, fit: 'fill' } })
}

/** Scales into the box, or along its one side. */
export function scaleInto(
  sketch: Sketch,
  box: PartialBox,
  options: Asked & { readonly enlarge: boolean; readonly fit?: Fit },
): void {
  const size = scaledSize(sketch.size, { ...box, fit: options.fit ?? 'inside' })
  if (options.enlarge || !isLarger(size, sketch.size)) scaleTo(sketch, size, options)
}

/** Scales until the box is covered, and keeps the part that the gravity names. */
export function coverBox(
  sketch: Sketch,
  { width, height }: Size,
  { parameter, gravity }: Asked & { readonly gravity: Gravity },
): void {
  if (width === sketch.size.width && height === sketch.size.height) return
  sketch.add(parameter, { resize: { width, height, fit: 'cover', gravity } })
}

/** Keeps a part, at most all of the picture. */
export function cutTo(sketch: Sketch, part: Size, { parameter, gravity }: Asked & { readonly gravity: Gravity }): void {
  const { width, height } = within(part, sketch.size)
  if (width === sketch.size.width && height === sketch.size.height) return
  sketch.add(parameter, { crop: { width, height, gravity } })
}

/** Keeps what a region has of the picture. */
export function cutRegion(sketch: Sketch, region: Size & { readonly x: number; readonly y: number }, { parameter }: Asked): void {
  const x = Math.min(Math.max(0, region.x), sketch.size.width - 1)
  const y = Math.min(Math.max(0, region.y), sketch.size.height - 1)
  const width = Math.max(1, Math.min(region.x + region.width, sketch.size.width) - x)
  const height = Math.max(1, Math.min(region.y + region.height, sketch.size.height) - y)
  if (width === sketch.size.width && height === sketch.size.height) return
  sketch.add(parameter, { crop: { x, y, width, height } })
}

/** Adds a border until the picture is as large as the canvas; where it lies there is said by shares of the free space. */
export function surroundTo(
  sketch: Sketch,
  canvas: Size,
  {
    parameter,
    across,
    down,
    background,
  }: Asked & { readonly across: number; readonly down: number; readonly background?: string },
): void {
  const freeAcross = Math.max(0, canvas.width - sketch.size.width)
  const freeDown = Math.max(0, canvas.height - sketch.size.height)
  if (freeAcross + freeDown === 0) return
  const left = Math.floor(freeAcross * across)
  const top = Math.floor(freeDown * down)
  const sides = { left, right: freeAcross - left, top, bottom: freeDown - top }
  sketch.add(parameter, { extend: { ...sides, ...(background !== undefined && { background }) } })
}

/** The size of the ratio that just fits into a picture. */
export function largestOfRatio(size: Size, ratio: number): Size {
  const isWider = size.width / size.height > ratio
  return isWider
    ? { width: atLeastOne(size.height * ratio), height: size.height }
    : { width: size.width, height: atLeastOne(size.width / ratio) }
}

/** The size of the ratio that a picture just fits into. */
export function smallestAround(size: Size, ratio: number): Size {
  const isWider = size.width / size.height > ratio
  return isWider
    ? { width: size.width, height: atLeastOne(size.width / ratio) }
    : { width: atLeastOne(size.height * ratio), height: size.height }
}

/** A box of which both sides are known: from the ratio, where one is given. */
export function withRatio({ width, height }: PartialBox, ratio: number | undefined): PartialBox {
  if (ratio === undefined || (width === undefined) === (height === undefined)) return { width, height }
  return width === undefined ? { width: atLeastOne((height ?? 1) * ratio), height } : { width, height: atLeastOne(width / ratio) }
}

export const isWhole = (box: PartialBox): box is Size => box.width !== undefined && box.height !== undefined
export const isLarger = (one: Size, other: Size): boolean => one.width > other.width || one.height > other.height

const within = (part: Size, whole: Size): Size => ({
  width: Math.min(part.width, whole.width),
  height: Math.min(part.height, whole.height),
})

export const atLeastOne = (length: number): number => Math.max(1, Math.round(length))

/** Of other pictures an ellipse would be cut out. @throws ApiError invalid_params */
export function requireSquare({ size: { width, height } }: Sketch, parameter: string): void {
  if (width !== height)
    throw invalidParam(parameter, 'custom', `Is supported of squares; the picture has ${width} × ${height} pixels.`)
}
