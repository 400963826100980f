import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Point, Rectangle } from '@pixelmill/vision/salience/subject'
import { z } from 'zod'

/** A number as models write it: some in quotes, some with a per cent sign. */
const coordinate = z
  .union([
    z.number(),
    z
      .string()
      .max(20)
      .regex(/^\s*-?\d+(\.\d+)?\s*%?\s*$/)
      .transform((text) => Number.parseFloat(text)),
  ])
  .refine(Number.isFinite)

const corners = z
  .object({ left: coordinate, top: coordinate, right: coordinate, bottom: coordinate })
  .transform(({ left, top, right, bottom }) => ({ from: { x: left, y: top }, to: { x: right, y: bottom } }))
const otherCorners = z
  .object({ x1: coordinate, y1: coordinate, x2: coordinate, y2: coordinate })
  .transform(({ x1, y1, x2, y2 }) => ({ from: { x: x1, y: y1 }, to: { x: x2, y: y2 } }))
const cornerAndSize = z
  .object({ x: coordinate, y: coordinate, width: coordinate, height: coordinate })
  .transform(({ x, y, width, height }) => ({ from: { x, y }, to: { x: x + width, y: y + height } }))
const shortCornerAndSize = z
  .object({ x: coordinate, y: coordinate, w: coordinate, h: coordinate })
  .transform(({ x, y, w, h }) => ({ from: { x, y }, to: { x: x + w, y: y + h } }))
const leftTopAndSize = z
  .object({ left: coordinate, top: coordinate, width: coordinate, height: coordinate })
  .transform(({ left, top, width, height }) => ({ from: { x: left, y: top }, to: { x: left + width, y: top + height } }))

/** Lists are not accepted: Gemini's begin with y, others' with x. */
const saidBox = z.union([corners, otherCorners, cornerAndSize, shortCornerAndSize, leftTopAndSize])
const saidPoint = z.object({ x: coordinate, y: coordinate })

/** The unit of coordinates. Fractions are requested; percentages, thousandths (Gemini, Qwen) and pixels come too. */
type Unit = (seenSize: Size) => Size
const units: readonly (readonly [most: number, unit: Unit])[] = [
  // With the slack below: a box within the first hundredth of an image is no subject.
  [1.1, () => ({ width: 1, height: 1 })],
  [100.5, () => ({ width: 100, height: 100 })],
  [1000.5, () => ({ width: 1000, height: 1000 })],
  [Number.POSITIVE_INFINITY, (seenSize) => seenSize],
]
const unitOf = (seenSize: Size, ...points: readonly Point[]): Size => {
  const greatest = Math.max(...points.flatMap(({ x, y }) => [x, y]))
  return (units.find(([most]) => greatest <= most)?.[1] ?? (() => seenSize))(seenSize)
}

/** How far beyond the edge a coordinate may lie, in sides of the image. */
const SLACK = 0.1

/** The point in fractions of the image; undefined where it is not near it. */
function inUnit({ x, y }: Point, { width, height }: Size): Point | undefined {
  const point = { x: x / width, y: y / height }
  const isNear = (share: number) => share >= -SLACK && share <= 1 + SLACK
  return isNear(point.x) && isNear(point.y) ? { x: within(point.x, 0, 1), y: within(point.y, 0, 1) } : undefined
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

export interface Place {
  readonly box: Rectangle
  readonly focus: Point
}

/**
 * The position of the subject by a model's answer, in pixels of the image and always inside it; undefined where the answer makes
 * no sense.
 * @param seenSize size of the copy that the model saw
 */
export function placeBy(modelAnswer: { box?: unknown; focalPoint?: unknown }, seenSize: Size, image: Size): Place | undefined {
  const read = saidBox.safeParse(modelAnswer.box)
  if (!read.success) return undefined
  const unit = unitOf(seenSize, read.data.from, read.data.to)
  const from = inUnit(read.data.from, unit)
  const to = inUnit(read.data.to, unit)
  if (!from || !to) return undefined
  const box = boxAround(from, to, image)
  return box && { box, focus: focusIn(box, modelAnswer.focalPoint, unit, seenSize, image) }
}

/** The smallest box of whole pixels around two corners in any order; undefined where it is empty. */
function boxAround(one: Point, other: Point, { width, height }: Size): Rectangle | undefined {
  const left = Math.min(one.x, other.x) * width
  const right = Math.max(one.x, other.x) * width
  const top = Math.min(one.y, other.y) * height
  const bottom = Math.max(one.y, other.y) * height
  if (right <= left || bottom <= top) return undefined
  const x = Math.floor(left)
  const y = Math.floor(top)
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y }
}

/** The model's focal point, in the unit of the box or a unit of its own, clamped to the box; without one, the middle of the box. */
function focusIn(box: Rectangle, modelAnswer: unknown, unit: Size, seenSize: Size, image: Size): Point {
  const read = saidPoint.safeParse(modelAnswer)
  const point = read.success ? (inUnit(read.data, unit) ?? inUnit(read.data, unitOf(seenSize, read.data))) : undefined
  if (!point) return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  return {
    x: within(point.x * image.width, box.x, box.x + box.width),
    y: within(point.y * image.height, box.y, box.y + box.height),
  }
}
