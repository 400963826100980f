import type { Pixels } from '../salience/gaussian.ts'
import type { Lab } from '../salience/lab.ts'
import { logLikelihoods, mixtureOf } from '../salience/mixture.ts'
import { minimumCut } from './minimum-cut.ts'
import { DIRECTIONS, emptyGraph, nodeOf, type PixelGraph } from './pixel-graph.ts'
import type { Mask } from './regions.ts'

/** The paper's γ: what a cut between two equal neighbours costs, beside the logarithms of likelihoods. */
const SMOOTHNESS = 50
/** So many pixels say as much of a colour distribution as all. */
const SAMPLES = 6_000
/** Fewer than this have no colours to speak of: what was begun with stands. */
const FEWEST = 30

/**
 * Moves an outline to where the colours and edges of the picture say it is.
 * Rother, Kolmogorov, Blake: "GrabCut": Interactive Foreground Extraction using Iterated Graph Cuts, SIGGRAPH 2004.
 * @param start what is taken for the subject at first
 * @param open 1 for pixels that may change sides
 */
export function grabCut(lab: Lab, start: Mask, open: Mask, rounds: number): Mask {
  const steepness = 1 / (2 * meanSquaredStep(lab) || 1)
  let mask = start
  for (let round = 0; round < rounds; round++) {
    const [inside, outside] = [sample(mask, 1), sample(mask, 0)]
    if (Math.min(inside.length, outside.length) < FEWEST) return mask
    const likelihoods = (pixels: Pixels) => logLikelihoods(mixtureOf(lab, pixels), lab)
    const [subject, background] = [likelihoods(inside), likelihoods(outside)]
    const graph = emptyGraph(lab)
    for (let pixel = 0; pixel < mask.length; pixel++) {
      if (!open[pixel]) continue
      const node = nodeOf(graph, pixel)
      const leaning = (subject[pixel] as number) - (background[pixel] as number)
      graph.terminal[node] = (graph.terminal[node] as number) + leaning
      tie(graph, lab, mask, open, steepness, pixel, node)
    }
    const cut = minimumCut(graph)
    mask = mask.map((before, pixel) => (open[pixel] ? (cut[pixel] as number) : before))
  }
  return mask
}

function sample(mask: Mask, value: 0 | 1): Pixels {
  const pixels: number[] = []
  for (let pixel = 0; pixel < mask.length; pixel++) if (mask[pixel] === value) pixels.push(pixel)
  const step = Math.max(1, pixels.length / SAMPLES)
  return Int32Array.from({ length: Math.floor(pixels.length / step) }, (_, at) => pixels[Math.floor(at * step)] as number)
}

/** Ties a pixel to its neighbours, the more the liker they are; one that may not change pulls as what it is. */
function tie(graph: PixelGraph, lab: Lab, mask: Mask, open: Mask, steepness: number, pixel: number, node: number): void {
  const { width, height } = lab
  const column = pixel % width
  const row = (pixel - column) / width
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    const [right, down] = STEPS[direction] as readonly [number, number]
    if (column + right < 0 || column + right >= width || row + down < 0 || row + down >= height) continue
    const neighbour = pixel + right + down * width
    const length = right && down ? Math.SQRT2 : 1
    const weight = (SMOOTHNESS / length) * Math.exp(-steepness * squaredStep(lab, pixel, neighbour))
    if (open[neighbour]) graph.capacity[node * DIRECTIONS + direction] = weight
    else graph.terminal[node] = (graph.terminal[node] as number) + (mask[neighbour] ? weight : -weight)
  }
}

/** Right and down of each direction of a graph. */
const STEPS: readonly (readonly [number, number])[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [1, -1],
]

function squaredStep({ planes: [l, a, b] }: Lab, p: number, q: number): number {
  const dl = (l[p] as number) - (l[q] as number)
  const da = (a[p] as number) - (a[q] as number)
  const db = (b[p] as number) - (b[q] as number)
  return dl * dl + da * da + db * db
}

/** Over all neighbours to the right and below. */
function meanSquaredStep(lab: Lab): number {
  const { width, height } = lab
  let [sum, count] = [0, 0]
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (const neighbour of [(pixel + 1) % width ? pixel + 1 : -1, pixel + width < width * height ? pixel + width : -1]) {
      if (neighbour < 0) continue
      sum += squaredStep(lab, pixel, neighbour)
      count++
    }
  }
  return count ? sum / count : 0
}
