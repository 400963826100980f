import { type Size, scaledSize } from '../pixels/size.ts'

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
export const cutPlacement = (from: Size, { left, top }: Corner): Placement => ({ from, before: [1, 0, left, 0, 1, top] })

/** The picture with something around it. */
export const borderPlacement = (from: Size, { left, top }: Corner): Placement => cutPlacement(from, { left: -left, top: -top })

/** Scaled to a size, of which the part that begins at a corner is shown; the corner may lie outside. */
export function resizedTo(from: Size, to: Size, { left, top }: Corner = { left: 0, top: 0 }): Placement {
  const across = from.width / to.width
  const down = from.height / to.height
  return { from, before: [across, 0, left * across, 0, down, top * down] }
}

/** What `resize` does with a box: `cover` and `contain` keep the middle, rounded as sharp does. */
export function fittedInto(from: Size, box: Parameters<typeof scaledSize>[1], after: Size): Placement {
  const to = scaledSize(from, box)
  const middle = (inner: number, outer: number) => (inner >= outer ? (inner - outer + 1) >> 1 : -((outer - inner) >> 1))
  return resizedTo(from, to, { left: middle(to.width, after.width), top: middle(to.height, after.height) })
}

export const flippedOver = (from: Size): Placement => ({ from, before: [1, 0, 0, 0, -1, from.height] })
export const floppedOver = (from: Size): Placement => ({ from, before: [-1, 0, from.width, 0, 1, 0] })

/** Turned clockwise around its middle. */
export function turnedBy(from: Size, degrees: number, after: Size): Placement {
  const radians = (degrees * Math.PI) / 180
  const cos = Math.cos(radians)
  const sin = Math.sin(radians)
  const x = after.width / 2
  const y = after.height / 2
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

/** Where points of a result were in the source. */
export interface Path {
  /** To the source. */
  readonly whole: Affine
  /** The columns of a row that are of the source: from the first number to the second, none where that is smaller. */
  columns(y: number, width: number): readonly [from: number, to: number]
  /** The share of the source's gain that is left at a point; undefined where it is all of it everywhere. */
  readonly shareAt: ((x: number, y: number) => number) | undefined
}

/** The path through all steps. */
export function pathThrough(placements: readonly Placement[]): Path {
  const steps: (Placement & { readonly after: Affine })[] = []
  let whole: Affine = [1, 0, 0, 0, 1, 0]
  for (const placement of placements.toReversed()) {
    const after = whole
    whole = compose(placement.before, after)
    steps.push({ ...placement, before: whole, after })
  }
  const covers = steps.filter(({ opacityAt }) => opacityAt)
  return {
    whole,
    columns(y, width) {
      let from = 0
      let to = width
      for (const { before, from: size } of steps)
        for (const [slope, start, length] of [
          [before[0], before[1] * y + before[2], size.width],
          [before[3], before[4] * y + before[5], size.height],
        ] as const) {
          const [first, last] = between(slope, start, length)
          from = Math.max(from, first)
          to = Math.min(to, last)
        }
      return [from, to]
    },
    shareAt:
      covers.length === 0
        ? undefined
        : (x, y) =>
            covers.reduce((share, { after: [a, b, c, d, e, f], opacityAt }) => {
              const opacity = opacityAt?.(a * x + b * y + c, d * x + e * y + f) ?? 0
              return share * (1 - opacity)
            }, 1),
  }
}

/** First `inner`, then `outer`. */
function compose(outer: Affine, [a, b, c, d, e, f]: Affine): Affine {
  const [p, q, r, s, t, u] = outer
  return [p * a + q * d, p * b + q * e, p * c + q * f + r, s * a + t * d, s * b + t * e, s * c + t * f + u]
}

/** The x for which slope · x + start is from 0 to length. */
function between(slope: number, start: number, length: number): readonly [number, number] {
  // Sines and cosines of right angles are rounded.
  if (Math.abs(slope) < 1e-9) return start >= 0 && start <= length ? [-Infinity, Infinity] : [Infinity, -Infinity]
  const first = -start / slope
  const last = (length - start) / slope
  return slope > 0 ? [first, last] : [last, first]
}
