import type { Size } from '../result-size.ts'
import type { Plane } from '../salience/lab.ts'

/** Barriers are told apart to a quarter of a unit of Lab, up to 256 units. */
const STEPS_PER_UNIT = 4
const LEVELS = 1024

/**
 * The lowest barrier between each pixel and the edge of the picture: on the path whose steepest place is least steep, how
 * steep that is. A background that drifts from shade to shade is crossed at no cost; the outline of a subject is not.
 * Dijkstra's algorithm with the maximum in place of the sum (minimax path), and a bucket for each level in place of a heap.
 */
export function barrierOf(gradient: Plane, { width, height }: Size, isBackground: (pixel: number) => boolean): Plane {
  const steepness = Uint16Array.from(gradient, (value) => Math.min(LEVELS - 1, value * STEPS_PER_UNIT))
  const barrier = new Uint16Array(gradient.length).fill(LEVELS)
  const buckets: number[][] = Array.from({ length: LEVELS }, () => [])
  const reach = (pixel: number, level: number) => {
    const over = Math.max(level, steepness[pixel] as number)
    if (over >= (barrier[pixel] as number)) return
    barrier[pixel] = over
    buckets[over]?.push(pixel)
  }
  for (let pixel = 0; pixel < barrier.length; pixel++) {
    const [column, row] = [pixel % width, Math.floor(pixel / width)]
    const atEdge = column === 0 || row === 0 || column === width - 1 || row === height - 1
    if (atEdge && isBackground(pixel)) reach(pixel, 0)
  }
  for (const [level, bucket] of buckets.entries()) {
    // It grows while it is emptied.
    for (const pixel of bucket) {
      if (barrier[pixel] !== level) continue
      const column = pixel % width
      if (column > 0) reach(pixel - 1, level)
      if (column < width - 1) reach(pixel + 1, level)
      if (pixel >= width) reach(pixel - width, level)
      if (pixel < barrier.length - width) reach(pixel + width, level)
    }
  }
  return Float32Array.from(barrier, (level) => level / STEPS_PER_UNIT)
}
