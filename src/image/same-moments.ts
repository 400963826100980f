import type { Raster } from './ssim.ts'

/** Browsers show a frame that asks for no more than `least` for `instead`; libvips writes it so into WebP. */
const BRIEF = { least: 10, instead: 100 } as const

/** Milliseconds from the start at which each frame begins, and at which the last one ends. */
function momentsOf(delays: readonly number[]): readonly number[] {
  const moments = [0]
  for (const delay of delays) moments.push((moments.at(-1) ?? 0) + (delay > BRIEF.least ? delay : BRIEF.instead))
  return moments
}

/**
 * For each frame of an animation, which frame of another is shown at the same time: an encoder may write frames that are
 * alike as one that stands longer, or all of them as a still. Undefined where the other changes at moments of its own.
 * @param delays milliseconds of each frame
 * @param others milliseconds of each frame of the other
 */
export function framesBeside(delays: readonly number[], others: readonly number[]): readonly number[] | undefined {
  if (others.length === 1) return delays.map(() => 0)
  const [own, changes] = [momentsOf(delays), momentsOf(others)]
  const known = new Set(own)
  if (own.at(-1) !== changes.at(-1) || !changes.every((moment) => known.has(moment))) return undefined
  return own.slice(0, -1).map((moment) => changes.findLastIndex((change) => change <= moment))
}

/** The frames of a strip below one another in another order, some of them perhaps more than once. */
export function restack({ data, width, height, channels }: Raster, frames: number, order: readonly number[]): Raster {
  const bytes = data.length / frames
  const restacked = Buffer.concat(order.map((frame) => data.subarray(frame * bytes, (frame + 1) * bytes)))
  return { data: restacked, width, height: (height / frames) * order.length, channels }
}
