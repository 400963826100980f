import { openWorkspace, type Workspace, wholeVectors } from './memory.ts'

interface Size {
  readonly width: number
  readonly height: number
}

const FLOAT = 4
type Plane = Float32Array<ArrayBuffer>

/** Mean over the square of 2 · radius + 1 pixels around each pixel, clipped at the edges. */
export function boxMean(plane: Float32Array, size: Size, radius: number): Plane {
  using workspace = openWorkspace()
  const boxes = new Boxes(workspace, size)
  const from = boxes.place(plane)
  const to = boxes.room()
  boxes.mean(from, radius, to)
  return boxes.read(to)
}

/** Means of several planes of one size. */
class Boxes {
  readonly stride: number
  readonly #workspace: Workspace
  readonly #size: Size
  readonly #pixels: number
  readonly #scratch: number

  constructor(workspace: Workspace, size: Size) {
    this.#workspace = workspace
    this.#size = size
    this.#pixels = size.width * size.height
    this.stride = wholeVectors(this.#pixels * FLOAT)
    this.#scratch = workspace.allocate(this.stride + 16 + 8 * Math.max(size.width, size.height))
  }

  room(planes = 1): number {
    return this.#workspace.allocate(planes * this.stride)
  }

  place(plane: Float32Array): number {
    if (plane.length < this.#pixels) throw new Error('A plane has fewer floats than its size says.')
    return this.#workspace.place(plane)
  }

  mean(plane: number, radius: number, to: number): void {
    const { width, height } = this.#size
    this.#workspace.kernels.boxMean(plane, width, height, radius, this.#scratch, to)
  }

  meanOfProduct(one: number, other: number, radius: number, scratch: number, to: number): void {
    this.#workspace.kernels.multiplyRows(one, other, this.#pixels, scratch)
    this.mean(scratch, radius, to)
  }

  read(plane: number): Plane {
    return this.#workspace.floats(plane, this.#pixels).slice()
  }
}

/** Around each pixel, opacity is about red · r + green · g + blue · b + constant. */
export interface OpacityModel {
  readonly red: Plane
  readonly green: Plane
  readonly blue: Plane
  readonly constant: Plane
}

/** @param radius of the boxes in pixels @param epsilon the regularisation, a variance */
export interface Guidance {
  readonly radius: number
  readonly epsilon: number
}

/**
 * The linear models of the guided filter with a colour guide. Computed on a small picture, they apply to a large one.
 * He, Sun: Fast Guided Filter, 2015 (arXiv 1505.00996), after He, Sun, Tang: Guided Image Filtering, ECCV 2010.
 * @param guide red, green and blue, 0–1
 */
export function guidedModel(
  guide: readonly [Float32Array, Float32Array, Float32Array],
  opacity: Float32Array,
  size: Size,
  { radius, epsilon }: Guidance,
): OpacityModel {
  using workspace = openWorkspace()
  const boxes = new Boxes(workspace, size)
  const [r, g, b, o] = [...guide, opacity].map((plane) => boxes.place(plane)) as [number, number, number, number]
  const pairs = [
    [r, r],
    [r, g],
    [r, b],
    [g, g],
    [g, b],
    [b, b],
    [r, o],
    [g, o],
    [b, o],
  ] as const
  const { stride } = boxes
  const scratch = boxes.room()
  const means = boxes.room(4 + pairs.length)
  const model = boxes.room(4)
  for (const [index, plane] of [r, g, b, o].entries()) boxes.mean(plane, radius, means + index * stride)
  for (const [index, [one, other]] of pairs.entries())
    boxes.meanOfProduct(one, other, radius, scratch, means + (4 + index) * stride)
  workspace.kernels.linearModel(means, stride, epsilon, model)
  const [red, green, blue, constant] = [0, 1, 2, 3].map((index) => {
    boxes.mean(model + index * stride, radius, means + index * stride)
    return boxes.read(means + index * stride)
  }) as [Plane, Plane, Plane, Plane]
  return { red, green, blue, constant }
}

/** Means of colours around each pixel over some of the pixels only. */
export interface NearbyColours {
  /** The colours, times the share of the pixels that count; that share; and the sum of the squares of the colours, times it. */
  readonly colours: readonly [Plane, Plane, Plane]
  readonly share: Plane
  readonly squares: Plane
}

/** @param counts 1 for pixels that count, and 0 for others */
export function nearbyColours(
  colours: readonly [Float32Array, Float32Array, Float32Array],
  counts: Float32Array,
  size: Size,
  radius: number,
): NearbyColours {
  using workspace = openWorkspace()
  const boxes = new Boxes(workspace, size)
  const planes = colours.map((plane) => boxes.place(plane))
  const share = boxes.place(counts)
  const product = boxes.room()
  const mean = boxes.room()
  const [one, two, three] = colours
  const squareSums = new Float32Array(counts.length)
  for (let pixel = 0; pixel < counts.length; pixel++) {
    if (counts[pixel] === 0) continue
    const x = one[pixel] as number
    const y = two[pixel] as number
    const z = three[pixel] as number
    squareSums[pixel] = x * x + y * y + z * z
  }
  const squares = boxes.place(squareSums)
  const meanOf = (plane: number): Plane => {
    boxes.mean(plane, radius, mean)
    return boxes.read(mean)
  }
  return {
    colours: planes.map((plane) => {
      boxes.meanOfProduct(plane, share, radius, product, mean)
      return boxes.read(mean)
    }) as [Plane, Plane, Plane],
    share: meanOf(share),
    squares: meanOf(squares),
  }
}
