import { PixelGraph } from '@pixelmill/kernels/graph-cut'
import { openWorkspace } from '@pixelmill/kernels/memory'
import { mixtureOf, type Pixels } from '../salience/gaussian-mixture.ts'
import type { Lab } from '../salience/lab.ts'
import type { Mask } from './regions.ts'

/** As many pixels describe a colour distribution as well as all of them. */
const SAMPLES = 6_000
/** With fewer pixels on a side, its colours are unknown, and the mask stays as it is. */
const FEWEST = 30

/**
 * Moves an outline to where the picture's colours and edges put it.
 * Rother, Kolmogorov, Blake: "GrabCut": Interactive Foreground Extraction using Iterated Graph Cuts, SIGGRAPH 2004.
 * @param start the initial mask
 * @param open 1 for pixels that may change
 */
export function grabCut(lab: Lab, start: Mask, open: Mask, rounds: number): Mask {
  using workspace = openWorkspace()
  const steepness = 1 / (2 * meanSquaredStep(lab) || 1)
  const graph = new PixelGraph(workspace, { ...lab, mask: start, open }, { smoothness: SMOOTHNESS, steepness })
  let mask = start
  for (let round = 0; round < rounds; round++) {
    const inside = sample(pixelsOf(mask, 1))
    const outside = sample(pixelsOf(mask, 0))
    if (Math.min(inside.length, outside.length) < FEWEST) return mask
    mask = graph.cut(mixtureOf(lab, inside), mixtureOf(lab, outside))
  }
  return mask
}

/** GrabCut's γ: the cost of a cut between two equal neighbours, relative to log-likelihoods. */
const SMOOTHNESS = 50

function pixelsOf(mask: Mask, value: 0 | 1): Pixels {
  const pixels = new Int32Array(mask.length)
  let count = 0
  for (let pixel = 0; pixel < mask.length; pixel++) if (mask[pixel] === value) pixels[count++] = pixel
  return pixels.subarray(0, count)
}

function sample(pixels: Pixels): Pixels {
  const step = Math.max(1, pixels.length / SAMPLES)
  const samples = new Int32Array(Math.floor(pixels.length / step))
  for (let at = 0; at < samples.length; at++) samples[at] = pixels[Math.floor(at * step)] as number
  return samples
}

function squaredStep({ planes: [l, a, b] }: Lab, p: number, q: number): number {
  const dl = (l[p] as number) - (l[q] as number)
  const da = (a[p] as number) - (a[q] as number)
  const db = (b[p] as number) - (b[q] as number)
  return dl * dl + da * da + db * db
}

/** Mean over all pairs of horizontal and vertical neighbours. */
function meanSquaredStep(lab: Lab): number {
  const { width, height } = lab
  let sum = 0
  for (let row = 0, pixel = 0; row < height; row++) {
    for (let column = 0; column < width; column++, pixel++) {
      if (column < width - 1) sum += squaredStep(lab, pixel, pixel + 1)
      if (row < height - 1) sum += squaredStep(lab, pixel, pixel + width)
    }
  }
  const count = (width - 1) * height + width * (height - 1)
  return count ? sum / count : 0
}
