import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Rectangle, SalienceMap, Subject } from './subject.ts'

/** The largest window of the ratio (width ÷ height) in an image, in whole pixels: one of its sides is the image's. */
export function largestWindow({ width, height }: Size, ratio: number): Size {
  if (width / height > ratio) return { width: Math.max(1, Math.round(height * ratio)), height }
  return { width, height: Math.max(1, Math.round(width / ratio)) }
}

/**
 * Places the largest crop of a ratio where it keeps most of the subject. It can slide along one side only, so the optimum is
 * found exactly: a subject that fits is kept whole, a larger one fills the crop, and among equal positions the one with the focus
 * nearest to the middle is taken. The profiles of the subject are computed once for all ratios.
 */
export function croppingAround(image: Size, subject: Subject): (ratio: number) => Rectangle {
  const place = placingAround(image, subject)
  return (ratio) => place(largestWindow(image, ratio))
}

/** Places a window of any size: along each side by itself, which is exact for the largest of a ratio. */
export function placingAround(image: Size, subject: Subject): (window: Size) => Rectangle {
  const [across, down] = profilesOf(image, subject)
  const left = placing(image.width, across, subject.focus.x)
  const top = placing(image.height, down, subject.focus.y)
  return (window) => ({ x: left(window.width), y: top(window.height), ...window })
}

/** Share of the subject that counts as nothing: rounding errors. */
const NOTHING = 1e-9

/** Finds the position of a window along a side: an integer in 0…length − window. */
function placing(length: number, profile: Profile, focus: number): (window: number) => number {
  const before = cumulative(profile)
  const bends = edges(profile)
  const nothing = NOTHING * before(length)
  return (window) => {
    const last = length - window
    if (last === 0) return 0
    const centredStart = focus - window / 2
    let best = 0
    let most = Number.NEGATIVE_INFINITY
    // The kept amount is piecewise linear; it bends where an end of the window passes an edge, so its maximum is at one of these.
    for (const start of [centredStart, ...bends, ...bends.map((edge) => edge - window)]) {
      for (const whole of [Math.floor(start), Math.ceil(start)]) {
        const position = Math.min(last, Math.max(0, whole))
        const keptShare = before(position + window) - before(position)
        const isAsGood = keptShare > most - nothing && Math.abs(position - centredStart) < Math.abs(best - centredStart)
        if (keptShare > most + nothing || isAsGood) {
          best = position
          most = Math.max(keptShare, most)
        }
      }
    }
    return best
  }
}

function profilesOf(image: Size, { box, map }: Subject): readonly [across: Profile, down: Profile] {
  if (map) return profilesOfMap(map, image)
  const { x, y, width, height } = box ?? { x: 0, y: 0, ...image }
  return [
    { from: x, to: x + width, weights: [1] },
    { from: y, to: y + height, weights: [1] },
  ]
}

function profilesOfMap({ width, height, data }: SalienceMap, image: Size): readonly [across: Profile, down: Profile] {
  const columns = Array<number>(width).fill(0)
  const rows = Array<number>(height).fill(0)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const salience = data[row * width + column] ?? 0
      columns[column] = (columns[column] ?? 0) + salience
      rows[row] = (rows[row] ?? 0) + salience
    }
  }
  return [
    { from: 0, to: image.width, weights: columns },
    { from: 0, to: image.height, weights: rows },
  ]
}

/** How much of the subject lies along one side of the image, in equal steps between two positions in pixels. */
export interface Profile {
  readonly from: number
  readonly to: number
  readonly weights: readonly number[]
}

/** How much of the subject lies before a position. */
export type Cumulative = (position: number) => number

function cumulative({ from, to, weights }: Profile): Cumulative {
  const steps = weights.length
  const sums = new Float64Array(steps + 1)
  for (let step = 0; step < steps; step++) sums[step + 1] = (sums[step] ?? 0) + (weights[step] ?? 0)
  return (position) => {
    const step = Math.min(steps, Math.max(0, ((position - from) / (to - from)) * steps))
    const whole = Math.floor(step)
    const part = step % 1
    return (sums[whole] ?? 0) + part * (weights[whole] ?? 0)
  }
}

/** The positions at which the profile changes. */
export const edges = ({ from, to, weights }: Profile): readonly number[] =>
  Array.from({ length: weights.length + 1 }, (_, step) => from + ((to - from) * step) / weights.length)
