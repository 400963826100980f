import type { Pixels } from '../salience/gaussian.ts'
import type { Lab, Plane } from '../salience/lab.ts'
import { logLikelihoods, mixtureOf } from '../salience/mixture.ts'
import { minimumCut } from './minimum-cut.ts'
import { tiesOf } from './neighbour-ties.ts'
import { nodeOf } from './pixel-graph.ts'
import type { Mask } from './regions.ts'

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
  const ties = tiesOf(lab, start, open)
  const undecided = pixelsOf(open, 1)
  const colours = coloursOf(lab, undecided)
  const mask = start.slice()
  for (let round = 0; round < rounds; round++) {
    const [inside, outside] = [sample(pixelsOf(mask, 1)), sample(pixelsOf(mask, 0))]
    if (Math.min(inside.length, outside.length) < FEWEST) return mask
    const subject = logLikelihoods(mixtureOf(lab, inside), colours)
    const background = logLikelihoods(mixtureOf(lab, outside), colours)
    const graph = { ...ties, capacity: ties.capacity.slice(), terminal: ties.terminal.slice() }
    for (const [at, pixel] of undecided.entries()) {
      const node = nodeOf(graph, pixel)
      graph.terminal[node] = (graph.terminal[node] as number) + (subject[at] as number) - (background[at] as number)
    }
    const cut = minimumCut(graph)
    for (const pixel of undecided) mask[pixel] = cut[pixel] as number
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

/** The colours of some pixels alone, as a picture of one row. */
function coloursOf({ planes }: Lab, pixels: Pixels): Lab {
  const gathered = planes.map((plane) => Float32Array.from(pixels, (pixel) => plane[pixel] as number))
  return { width: pixels.length, height: 1, planes: gathered as unknown as readonly [Plane, Plane, Plane] }
}
