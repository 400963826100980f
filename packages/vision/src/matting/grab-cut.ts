import type { Size } from '@pixelmill/codecs/pixels/size'
import { logLikelihoods, mixtureOf, type Pixels } from '../salience/gaussian-mixture.ts'
import type { Lab, Plane } from '../salience/lab.ts'
import { DIRECTIONS, emptyGraph, minimumCut, nodeOf, type PixelGraph } from './minimum-cut.ts'
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
  const ties = neighbourGraph(lab, start, open)
  const openPixels = pixelsOf(open, 1)
  const colours = coloursOf(lab, openPixels)
  const mask = start.slice()
  for (let round = 0; round < rounds; round++) {
    const inside = sample(pixelsOf(mask, 1))
    const outside = sample(pixelsOf(mask, 0))
    if (Math.min(inside.length, outside.length) < FEWEST) return mask
    const subject = logLikelihoods(mixtureOf(lab, inside), colours)
    const background = logLikelihoods(mixtureOf(lab, outside), colours)
    const graph = { ...ties, capacity: ties.capacity.slice(), terminal: ties.terminal.slice() }
    for (const [at, pixel] of openPixels.entries()) {
      const node = nodeOf(graph, pixel)
      graph.terminal[node] = (graph.terminal[node] as number) + (subject[at] as number) - (background[at] as number)
    }
    const cut = minimumCut(graph)
    for (const pixel of openPixels) mask[pixel] = cut[pixel] as number
  }
  return mask
}

function pixelsOf(mask: Mask, value: 0 | 1): Pixels {
  const pixels = new Int32Array(mask.length)
  let count = 0
  for (let pixel = 0; pixel < mask.length; pixel++) if (mask[pixel] === value) pixels[count++] = pixel
  return pixels.subarray(0, count)
}

function sample(pixels: Pixels): Pixels {
  const step = Math.max(1, pixels.length / SAMPLES)
  return Int32Array.from({ length: Math.floor(pixels.length / step) }, (_, at) => pixels[Math.floor(at * step)] as number)
}

/** The colours of some pixels, as a picture of one row. */
function coloursOf({ planes }: Lab, pixels: Pixels): Lab {
  const colours = planes.map((plane) => Float32Array.from(pixels, (pixel) => plane[pixel] as number))
  return { width: pixels.length, height: 1, planes: colours as unknown as readonly [Plane, Plane, Plane] }
}

/** GrabCut's γ: the cost of a cut between two equal neighbours, relative to log-likelihoods. */
const SMOOTHNESS = 50

/** Steps to the right and down for each direction of a graph. */
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
 * A graph with arcs between open pixels and their neighbours, the stronger the more similar they are. Neighbours that are not
 * open act as the source or the sink, as they are in the mask.
 */
function neighbourGraph(lab: Lab, mask: Mask, open: Mask): PixelGraph {
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

/** Mean over all pairs of horizontal and vertical neighbours. */
function meanSquaredStep(lab: Lab): number {
  const { width, height } = lab
  let sum = 0
  let count = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    const hasRight = (pixel + 1) % width !== 0
    const hasBelow = pixel + width < width * height
    if (hasRight) sum += squaredStep(lab, pixel, pixel + 1)
    if (hasBelow) sum += squaredStep(lab, pixel, pixel + width)
    count += Number(hasRight) + Number(hasBelow)
  }
  return count ? sum / count : 0
}
