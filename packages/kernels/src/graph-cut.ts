import type { Workspace } from './memory.ts'
import { type Colours, floatsOf, type Mixture, type PlacedColours, placeColours } from './mixture.ts'

/** A picture whose pixels are to be parted into subject and background. */
export interface Parted {
  readonly width: number
  readonly height: number
  readonly planes: Colours
  /** 1 for pixels of the subject at first, and 1 for pixels that may change. */
  readonly mask: Uint8Array
  readonly open: Uint8Array
}

/** The costs of a cut between neighbours at distance 1, and its fall by the squared distance of their colours. */
export interface Ties {
  readonly smoothness: number
  readonly steepness: number
}

/** Components of a mixture for which there is room. */
const MOST_COMPONENTS = 16
const COMPONENT_BYTES = 40

/**
 * One or two seconds, more than photographs take. On fine regular patterns the search would take half a minute without a
 * better result, so it stops with the cut found so far.
 */
const MOST_STEPS = 40_000_000

/**
 * The open pixels of a picture as a graph that is cut several times, as the pulls of subject and background change. A cut begins with
 * the flow that the one before it found.
 */
export class PixelGraph {
  readonly #workspace: Workspace
  readonly #width: number
  readonly #pixels: number
  readonly #count: number
  readonly #colours: PlacedColours
  readonly #pulls: number
  readonly #before: number
  readonly #mask: number
  readonly #maskLength: number
  readonly #components: number
  readonly #others: number

  constructor(workspace: Workspace, { width, height, planes, mask, open }: Parted, { smoothness, steepness }: Ties) {
    const { kernels } = workspace
    const pixels = openPixels(open)
    this.#workspace = workspace
    this.#width = width
    this.#count = pixels.length
    this.#maskLength = mask.length
    const nodes = (width + 2) * (height + 2)
    const graph = workspace.allocate(kernels.graphBytes(nodes))
    const picture = workspace.allocate(3 * mask.length * 4)
    this.#mask = workspace.place(mask)
    const openMask = workspace.place(open)
    this.#pixels = workspace.place(pixels)
    this.#colours = placeColours(workspace, coloursOf(planes, pixels))
    this.#pulls = workspace.allocate(this.#colours.stride)
    this.#before = workspace.allocate(this.#colours.stride)
    this.#components = workspace.allocate(MOST_COMPONENTS * COMPONENT_BYTES)
    this.#others = workspace.allocate(MOST_COMPONENTS * COMPONENT_BYTES)
    for (const [plane, values] of planes.entries()) workspace.floats(picture + plane * mask.length * 4, mask.length).set(values)
    kernels.useGraph(graph, nodes, width + 2)
    kernels.joinNeighbours(picture, this.#mask, openMask, width, height, smoothness, steepness)
  }

  /** The mask by the minimum cut, where each pixel is pulled as much as it is likelier under one mixture than under the other. */
  cut(subject: Mixture, background: Mixture): Uint8Array {
    const { kernels } = this.#workspace
    this.#write(this.#components, subject)
    this.#write(this.#others, background)
    const { address, stride } = this.#colours
    kernels.likelihoodRatios(address, stride, this.#components, subject.length, this.#others, background.length, this.#pulls)
    kernels.pullPixels(this.#pixels, this.#pulls, this.#before, this.#count, this.#width)
    kernels.minimumCut(MOST_STEPS)
    kernels.readCut(this.#pixels, this.#count, this.#width, this.#mask)
    return this.#workspace.bytes(this.#mask, this.#maskLength).slice()
  }

  #write(address: number, mixture: Mixture): void {
    if (mixture.length > MOST_COMPONENTS) throw new Error(`A mixture has at most ${MOST_COMPONENTS} components.`)
    const floats = floatsOf(mixture)
    this.#workspace.floats(address, floats.length).set(floats)
  }
}

function openPixels(open: Uint8Array): Int32Array {
  const pixels = new Int32Array(open.length)
  let count = 0
  for (let pixel = 0; pixel < open.length; pixel++) if (open[pixel]) pixels[count++] = pixel
  return pixels.subarray(0, count)
}

function coloursOf([ls, as, bs]: Colours, pixels: Int32Array): Colours {
  const colours = [0, 1, 2].map(() => new Float32Array(pixels.length)) as [Float32Array, Float32Array, Float32Array]
  const [l, a, b] = colours
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at] as number
    l[at] = ls[pixel] as number
    a[at] = as[pixel] as number
    b[at] = bs[pixel] as number
  }
  return colours
}
