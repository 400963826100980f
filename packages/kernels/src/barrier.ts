import { openWorkspace } from './memory.ts'
import type { Colours } from './mixture.ts'

/** As in the paper: three raster scans come close enough to the exact distance. */
const PASSES = 3
const LANES = 4

/**
 * Minimum barrier distance to the edge of the picture, summed over its planes: the smallest difference of highest and lowest
 * value on any path to the edge. A subject has a barrier around it, even on a smooth gradient.
 * Zhang, Sclaroff, Lin, Shen, Price, Mech: Minimum Barrier Salient Object Detection at 80 FPS, ICCV 2015 (FastMBD).
 */
export function barrierDistance(planes: Colours, width: number, height: number): Float32Array<ArrayBuffer> {
  using workspace = openWorkspace()
  const count = width * height
  const pixels = workspace.allocate(count * LANES * 4)
  const paths = workspace.allocate(3 * count * LANES * 4)
  const to = workspace.allocate(count * 4)
  const view = workspace.floats(pixels, count * LANES)
  for (const [plane, values] of planes.entries())
    for (let pixel = 0; pixel < count; pixel++) view[pixel * LANES + plane] = values[pixel] as number
  workspace.kernels.barrierDistances(pixels, width, height, PASSES, paths, to)
  return workspace.floats(to, count).slice()
}
