import type { Size } from '../../image/size.ts'
import type { Rectangle, SalienceMap, Subject } from './subject.ts'

/** The largest window of the ratio (width ÷ height) in an image, in whole pixels: one of its sides is the image's. */
export function largestWindow({ width, height }: Size, ratio: number): Size {
  if (width / height > ratio) return { width: Math.max(1, Math.round(height * ratio)), height }
  return { width, height: Math.max(1, Math.round(width / ratio)) }
}

/**
 * The largest crop of each ratio, where it keeps most of the subject. Since it can slide along one side only, that is
 * found exactly: a subject that fits is kept whole, of a larger one the crop is full, and where that leaves a choice the
 * focus comes to the middle. Where the subject lies is summed up once for all ratios.
 */
export function croppingAround(image: Size, subject: Subject): (ratio: number) => Rectangle {
  const [across, down] = profilesOf(image, subject)
  const left = placing(image.width, across, subject.focus.x)
  const top = placing(image.height, down, subject.focus.y)
  return (ratio) => {
    const window = largestWindow(image, ratio)
    return { x: left(window.width), y: top(window.height), ...window }
  }
}

/** What a crop may lose of a subject that it would otherwise not lose, as a part of it: what rounding makes of nothing. */
const NOTHING = 1e-9

/** Finds for a window's length its place along a side: a whole position in 0…length − window. */
function placing(length: number, profile: Profile, focus: number): (window: number) => number {
  const before = cumulative(profile)
  const turns = edges(profile)
  const nothing = NOTHING * before(length)
  return (window) => {
    const last = length - window
    if (last === 0) return 0
    const centred = focus - window / 2
    let [best, most] = [0, Number.NEGATIVE_INFINITY]
    // What is kept changes its slope only where either end of the window passes an edge: the most is at one of these.
    for (const wanted of [centred, ...turns, ...turns.map((edge) => edge - window)]) {
      for (const whole of [Math.floor(wanted), Math.ceil(wanted)]) {
        const position = Math.min(last, Math.max(0, whole))
        const kept = before(position + window) - before(position)
        const isAsGood = kept > most - nothing && Math.abs(position - centred) < Math.abs(best - centred)
        if (kept > most + nothing || isAsGood) [best, most] = [position, Math.max(kept, most)]
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
  const [columns, rows] = [Array<number>(width).fill(0), Array<number>(height).fill(0)]
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

/** How much of the subject lies along one side of the image: equal steps between two positions in pixels, and nothing beyond. */
export interface Profile {
  readonly from: number
  readonly to: number
  readonly weights: readonly number[]
}

/** How much of the subject lies before a position. */
export type Cumulative = (position: number) => number

export function cumulative({ from, to, weights }: Profile): Cumulative {
  const steps = weights.length
  const sums = new Float64Array(steps + 1)
  for (let step = 0; step < steps; step++) sums[step + 1] = (sums[step] ?? 0) + (weights[step] ?? 0)
  return (position) => {
    const step = Math.min(steps, Math.max(0, ((position - from) / (to - from)) * steps))
    const [whole, part] = [Math.floor(step), step % 1]
    return (sums[whole] ?? 0) + part * (weights[whole] ?? 0)
  }
}

/** Where the profile changes: between these, what a sliding window keeps rises or falls evenly. */
export const edges = ({ from, to, weights }: Profile): readonly number[] =>
  Array.from({ length: weights.length + 1 }, (_, step) => from + ((to - from) * step) / weights.length)
