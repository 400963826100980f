import type { Size } from '../result-size.ts'
import type { Lab } from '../salience/lab.ts'
import { DIRECTIONS, emptyGraph, nodeOf, type PixelGraph } from './pixel-graph.ts'
import type { Mask } from './regions.ts'

/** GrabCut's γ: what a cut between two equal neighbours costs, beside the logarithms of likelihoods. */
const SMOOTHNESS = 50

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

/**
 * A graph in which open pixels are tied to their neighbours, the more the liker they are; a neighbour that is not open pulls
 * as what it is in the mask, for good.
 */
export function tiesOf(lab: Lab, mask: Mask, open: Mask): PixelGraph {
  const graph = emptyGraph(lab)
  const steepness = 1 / (2 * meanSquaredStep(lab) || 1)
  for (const [direction, step] of STEPS.entries()) {
    const most = SMOOTHNESS / Math.hypot(...step)
    for (let pixel = 0; pixel < mask.length; pixel++) {
      const neighbour = open[pixel] ? neighbourOf(pixel, step, lab) : undefined
      if (neighbour === undefined) continue
      const node = nodeOf(graph, pixel)
      const weight = most * Math.exp(-steepness * squaredStep(lab, pixel, neighbour))
      if (open[neighbour]) graph.capacity[node * DIRECTIONS + direction] = weight
      else graph.terminal[node] = (graph.terminal[node] as number) + (mask[neighbour] ? weight : -weight)
    }
  }
  return graph
}

function neighbourOf(pixel: number, [right, down]: readonly [number, number], { width, height }: Size): number | undefined {
  const column = pixel % width
  const row = (pixel - column) / width
  const isInside = column + right >= 0 && column + right < width && row + down >= 0 && row + down < height
  return isInside ? pixel + right + down * width : undefined
}

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
    const hasRight = (pixel + 1) % width !== 0
    const hasBelow = pixel + width < width * height
    if (hasRight) sum += squaredStep(lab, pixel, pixel + 1)
    if (hasBelow) sum += squaredStep(lab, pixel, pixel + width)
    count += Number(hasRight) + Number(hasBelow)
  }
  return count ? sum / count : 0
}
