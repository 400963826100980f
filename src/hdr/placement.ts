import { type Size, scaled } from '../image/size.ts'

/** What a step did to the places of a picture: a gain map has to follow it. */
export interface Placement {
  /** The size of the picture before the step. Places outside of it, and what lies there, are not of the source. */
  readonly from: Size
  /** Where a point was before the step. */
  readonly before: Affine
  /** How opaque what the step laid over a point is, 0 to 1. */
  opacityAt?(x: number, y: number): number
}

/** x′ = a·x + b·y + c and y′ = d·x + e·y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

interface Corner {
  readonly left: number
  readonly top: number
}

/** The part that begins at a corner. */
export const cropped = (from: Size, { left, top }: Corner): Placement => ({ from, before: [1, 0, left, 0, 1, top] })

/** The picture with something around it. */
export const bordered = (from: Size, { left, top }: Corner): Placement => cropped(from, { left: -left, top: -top })

/** Scaled to a size, of which the part that begins at a corner is shown; the corner may lie outside. */
export function resizedTo(from: Size, to: Size, { left, top }: Corner = { left: 0, top: 0 }): Placement {
  const [across, down] = [from.width / to.width, from.height / to.height]
  return { from, before: [across, 0, left * across, 0, down, top * down] }
}

/** What `resize` does with a box: `cover` and `contain` keep the middle, rounded as sharp does. */
export function fittedInto(from: Size, box: Parameters<typeof scaled>[1], after: Size): Placement {
  const to = scaled(from, box)
  const middle = (inner: number, outer: number) => (inner >= outer ? (inner - outer + 1) >> 1 : -((outer - inner) >> 1))
  return resizedTo(from, to, { left: middle(to.width, after.width), top: middle(to.height, after.height) })
}

export const flippedOver = (from: Size): Placement => ({ from, before: [1, 0, 0, 0, -1, from.height] })
export const floppedOver = (from: Size): Placement => ({ from, before: [-1, 0, from.width, 0, 1, 0] })

/** Turned clockwise around its middle. */
export function turnedBy(from: Size, degrees: number, after: Size): Placement {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const [x, y] = [after.width / 2, after.height / 2]
  return {
    from,
    before: [cos, sin, from.width / 2 - cos * x - sin * y, -sin, cos, from.height / 2 + sin * x - cos * y],
  }
}

/** The same places, under something that is laid over them: the more opaque it is, the less gain is left. */
export const under = (from: Size, opacityAt: (x: number, y: number) => number): Placement => ({
  from,
  before: [1, 0, 0, 0, 1, 0],
  opacityAt,
})

/**
 * Writes into `found` where a point of the result was in the source, x and y, and the share of its gain that is left.
 * @returns false where there is nothing of the source
 */
export function trace(placements: readonly Placement[], x: number, y: number, found: Float64Array): boolean {
  let [left, top, share] = [x, y, 1]
  for (let step = placements.length - 1; step >= 0; step--) {
    const { from, before, opacityAt } = placements[step] as Placement
    const [a, b, c, d, e, f] = before
    if (opacityAt) share *= 1 - opacityAt(left, top)
    const across = a * left + b * top + c
    top = d * left + e * top + f
    left = across
    if (left < 0 || top < 0 || left > from.width || top > from.height) return false
  }
  found[0] = left
  found[1] = top
  found[2] = share
  return true
}
