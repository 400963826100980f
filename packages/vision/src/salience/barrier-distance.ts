import type { Lab, Plane } from './lab.ts'

/**
 * Minimum barrier distance to the edge of the picture, summed over its planes: the smallest difference of highest and lowest
 * value on any path to the edge. A subject has a barrier around it, even on a smooth gradient.
 * Zhang, Sclaroff, Lin, Shen, Price, Mech: Minimum Barrier Salient Object Detection at 80 FPS, ICCV 2015 (FastMBD).
 */
export function barrierDistance({ width, height, planes }: Lab): Plane {
  const sum = new Float32Array(width * height)
  for (const plane of planes) {
    const distance = ofPlane(plane, width, height)
    for (let pixel = 0; pixel < sum.length; pixel++) sum[pixel] = (sum[pixel] ?? 0) + (distance[pixel] ?? 0)
  }
  return sum
}

/** As in the paper: three raster scans come close enough to the exact distance. */
const PASSES = 3

/** The best path known for each pixel: its barrier, and the highest and lowest value on it. */
interface Paths {
  readonly plane: Plane
  readonly barrier: Plane
  readonly highest: Plane
  readonly lowest: Plane
}

function ofPlane(plane: Plane, width: number, height: number): Plane {
  const barrier = new Float32Array(plane.length).fill(Number.POSITIVE_INFINITY)
  barrier.fill(0, 0, width).fill(0, (height - 1) * width)
  for (let row = 0; row < height; row++) barrier[row * width] = barrier[row * width + width - 1] = 0
  const paths: Paths = { plane, barrier, highest: plane.slice(), lowest: plane.slice() }
  for (let pass = 0; pass < PASSES; pass++) sweep(paths, width, height, pass % 2 === 0)
  return barrier
}

/** Scans the pixels inside the edge in raster order or reverse, each after two of its neighbours. */
function sweep(paths: Paths, width: number, height: number, forwards: boolean): void {
  const step = forwards ? 1 : -1
  for (let row = forwards ? 1 : height - 2; row > 0 && row < height - 1; row += step) {
    for (let column = forwards ? 1 : width - 2; column > 0 && column < width - 1; column += step) {
      const pixel = row * width + column
      relax(paths, pixel, pixel - step)
      relax(paths, pixel, pixel - step * width)
    }
  }
}

/** Extends the neighbour's path to this pixel if that has a lower barrier than the known one. */
function relax({ plane, barrier, highest, lowest }: Paths, pixel: number, neighbour: number): void {
  const value = plane[pixel] ?? 0
  const high = Math.max(highest[neighbour] ?? 0, value)
  const low = Math.min(lowest[neighbour] ?? 0, value)
  if (high - low >= (barrier[pixel] ?? 0)) return
  barrier[pixel] = high - low
  highest[pixel] = high
  lowest[pixel] = low
}
