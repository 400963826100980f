import { type Workspace, wholeVectors } from './memory.ts'

/**
 * What lies outside of a plane: 0, as in the reference; or, for a part of a picture, nothing, so that a mean is over what is inside.
 * With 0, structure at an edge looks less damaged: parts of 128 × 128 scored 2 to 4 points above their picture.
 */
export type Outside = 'zero' | 'nothing'

/** Of the blur, and rows of a ring. */
export const TAPS = 9
export const RADIUS = (TAPS - 1) / 2
const FLOAT = 4
/** Six doubles: of three maps of errors, and of their fourth powers. */
export const SUMS_BYTES = 6 * 8
/** Bytes of zeros on both sides of a row that is blurred. */
const PAD = RADIUS * FLOAT

/** The rows of a plane that are under way: the last nine, and what is blurred of them. */
export class PlaneRows {
  readonly width: number
  readonly height: number
  /** Floats that describe a row: it, its blur, and its blurred squares. */
  readonly descriptionFloats: number
  readonly #workspace: Workspace
  readonly #gainsDown: Float32Array
  readonly #gainsAcross: number
  /** Of a row without zeros beside it. */
  readonly #stride: number
  readonly #paddedStride: number
  readonly #values: number
  readonly #products: number
  /** A ring of rows for each blur, blurred across. */
  readonly #rings: readonly number[]
  /** The blurs of a row. */
  readonly #blurredRow: number
  /** A ring of described rows of the original. */
  readonly #original: number

  /** @param blurs of the row and its squares; the third is that of its squared differences from the original */
  constructor(
    workspace: Workspace,
    { width, height }: { readonly width: number; readonly height: number },
    outside: Outside,
    blurs: 2 | 3,
  ) {
    this.width = width
    this.height = height
    this.#workspace = workspace
    this.#stride = wholeVectors(width * FLOAT)
    this.#paddedStride = this.#stride + 3 * PAD
    this.descriptionFloats = (3 * this.#stride) / FLOAT
    this.#gainsDown = gainsOf(height, outside)
    this.#gainsAcross = workspace.place(gainsOf(width, outside))
    this.#values = workspace.allocate(TAPS * this.#paddedStride + PAD) + PAD
    this.#products = workspace.allocate(this.#paddedStride + PAD) + PAD
    this.#rings = Array.from({ length: blurs }, () => workspace.allocate(TAPS * this.#stride))
    this.#blurredRow = workspace.allocate(3 * this.#stride)
    this.#original = workspace.allocate(blurs === 3 ? TAPS * 3 * this.#stride : 0)
  }

  /** Before another picture: above its first row is nothing. */
  clear(): void {
    for (const ring of this.#rings) this.#workspace.bytes(ring, TAPS * this.#stride).fill(0)
  }

  /** Below the last row is nothing. */
  clearRow(y: number): void {
    for (const ring of this.#rings) this.#workspace.bytes(ring + (y % TAPS) * this.#stride, this.#stride).fill(0)
  }

  /** The address of a row's values. */
  rowAt(y: number): number {
    return this.#values + (y % TAPS) * this.#paddedStride
  }

  /** @param nth row among those that are described */
  placeOriginal(y: number, floats: Float32Array, nth: number): void {
    const row = floats.subarray(nth * this.descriptionFloats, (nth + 1) * this.descriptionFloats)
    this.#workspace.floats(this.#originalAt(y), this.descriptionFloats).set(row)
  }

  /** Blurs a row, its squares and its squared differences across. */
  blurAcross(y: number): void {
    const { kernels } = this.#workspace
    const row = this.rowAt(y)
    const [values, squares, differences] = this.#rings.map((ring) => ring + (y % TAPS) * this.#stride)
    kernels.blurRow(row, this.width, values as number)
    kernels.squareRow(row, this.width, this.#products)
    kernels.blurRow(this.#products, this.width, squares as number)
    if (differences === undefined) return
    kernels.squaredDifferences(row, this.#originalAt(y), this.width, this.#products)
    kernels.blurRow(this.#products, this.width, differences)
  }

  /** The description of a row, valid until the next allocation. */
  describeRow(y: number): Float32Array {
    this.#blurDown(y, this.#blurredRow + this.#stride)
    const description = this.#workspace.floats(this.#blurredRow, this.descriptionFloats)
    description.set(this.#workspace.floats(this.rowAt(y), this.width))
    return description
  }

  /**
   * Adds the errors of a row to the sums of its blocks.
   * @param blockWidth a multiple of 4, or the width
   * @param sums the address of the first block's six doubles; those of the others follow
   */
  addErrors(y: number, blockWidth: number, sums: number): void {
    this.#blurDown(y, this.#blurredRow)
    const original = this.#originalAt(y)
    const row = this.rowAt(y)
    let to = sums
    for (let x = 0; x < this.width; x += blockWidth) {
      const at = x * FLOAT
      const width = Math.min(blockWidth, this.width - x)
      this.#workspace.kernels.addErrors(original + at, this.#stride, row + at, this.#blurredRow + at, width, to)
      to += SUMS_BYTES
    }
  }

  #blurDown(y: number, to: number): void {
    const newest = (y + RADIUS) % TAPS
    const gain = this.#gainsDown[y] as number
    for (const [nth, ring] of this.#rings.entries())
      this.#workspace.kernels.blurColumns(
        ring,
        this.#stride,
        newest,
        this.#gainsAcross,
        gain,
        this.width,
        to + nth * this.#stride,
      )
  }

  #originalAt(y: number): number {
    return this.#original + (y % TAPS) * 3 * this.#stride
  }
}

/** Of the blur. */
const WEIGHTS = [
  0.009414367809653717, 0.03601111465836435, 0.10933537277746029, 0.2129285920104222, 0.2646211054881986, 0.2129285920104222,
  0.10933537277746029, 0.03601111465836435, 0.009414367809653717,
] as const

/** 1 divided by the sum of the taps that are inside of a length, where what is outside does not count. */
const gainsOf = (length: number, outside: Outside): Float32Array =>
  Float32Array.from({ length }, (_, place) => {
    if (outside === 'zero' || (place >= RADIUS && place < length - RADIUS)) return 1
    const inside = WEIGHTS.filter((_, tap) => place + tap >= RADIUS && place + tap < length + RADIUS)
    return 1 / inside.reduce((sum, weight) => sum + weight, 0)
  })
