import { type Size, scaled } from '../image/size.ts'

/** Where a point was, in pixels, and the share of the gain that is left there, by default all of it. */
export type Point = readonly [x: number, y: number, share?: number]

/** What a step did to the places of a picture: a gain map has to follow it. */
export interface Placement {
  /** The size of the picture before the step. */
  readonly from: Size
  /** Where a point of the picture was before the step. Outside of it, and where undefined, the step has put something else. */
  before(x: number, y: number): Point | undefined
}

/** The part that begins at a corner. */
export const cropped = (from: Size, { left, top }: { readonly left: number; readonly top: number }): Placement => ({
  from,
  before: (x, y) => [x + left, y + top],
})

/** The picture with something around it. */
export const bordered = (from: Size, { left, top }: { readonly left: number; readonly top: number }): Placement =>
  cropped(from, { left: -left, top: -top })

/** Scaled to a size, of which the part that begins at a corner is shown; the corner may lie outside. */
export const resizedTo = (from: Size, to: Size, { left, top } = { left: 0, top: 0 }): Placement => ({
  from,
  before: (x, y) => [((x + left) * from.width) / to.width, ((y + top) * from.height) / to.height],
})

/** What `resize` does with a box: `cover` and `contain` keep the middle, rounded as sharp does. */
export function fittedInto(from: Size, box: Parameters<typeof scaled>[1], after: Size): Placement {
  const to = scaled(from, box)
  const middle = (inner: number, outer: number) => (inner >= outer ? (inner - outer + 1) >> 1 : -((outer - inner) >> 1))
  return resizedTo(from, to, { left: middle(to.width, after.width), top: middle(to.height, after.height) })
}

export const flippedOver = (from: Size): Placement => ({ from, before: (x, y) => [x, from.height - y] })
export const floppedOver = (from: Size): Placement => ({ from, before: (x, y) => [from.width - x, y] })

/** Turned clockwise around its middle. */
export function turnedBy(from: Size, degrees: number, after: Size): Placement {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return {
    from,
    before(x, y) {
      const [across, down] = [x - after.width / 2, y - after.height / 2]
      return [across * cos + down * sin + from.width / 2, down * cos - across * sin + from.height / 2]
    },
  }
}

/** The same places, under something that is laid over them: the more opaque it is, the less gain is left. */
export const under = (from: Size, opacityAt: (x: number, y: number) => number): Placement => ({
  from,
  before: (x, y) => [x, y, 1 - opacityAt(x, y)],
})

/** Where a point of the result was in the source, by all steps; undefined where there is nothing of the source. */
export function traced(placements: readonly Placement[], x: number, y: number): Point | undefined {
  let [left, top, share]: [number, number, number] = [x, y, 1]
  for (let step = placements.length - 1; step >= 0; step--) {
    const { from, before } = placements[step] as Placement
    const point = before(left, top)
    if (!point) return undefined
    const [across, down, rest = 1] = point
    if (across < 0 || down < 0 || across > from.width || down > from.height) return undefined
    ;[left, top, share] = [across, down, share * rest]
  }
  return [left, top, share]
}
