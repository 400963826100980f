import { openWorkspace, type Workspace } from './memory.ts'
import { rowBytes } from './rows.ts'

/** 8-bit pixels in rows, their channels interleaved. */
export interface Samples {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** A plane of pixels: one of their channels, or a sum of red, green and blue. */
export type PlaneOf =
  | { readonly channel: number }
  /** @param middle of the range of sums: 128 for brightness, 0 for colours */
  | { readonly factors: readonly [red: number, green: number, blue: number]; readonly middle: 0 | 128 }

const BLOCK = 8
const MIDDLE = 128
/** Kernels read up to a vector beyond a row of pixels. */
const BEYOND = 16

/**
 * Mean structural similarity of planes of two rasters of equal size, over blocks of 8 × 8 pixels that are smaller at the right and lower
 * edge. Each row is read once for all planes.
 */
export function planeSimilarities(one: Samples, other: Samples, planes: readonly PlaneOf[]): readonly number[] {
  const { width, height } = one
  for (const { data, channels } of [one, other])
    if (data.length < width * height * channels) throw new Error('A raster has fewer samples than its size says.')
  using workspace = openWorkspace()
  const strips = [one, other].map((samples) => new Strip(workspace, samples, planes)) as [Strip, Strip]
  const sums = planes.map(() => 0)
  for (let top = 0; top < height; top += BLOCK) {
    const rows = Math.min(BLOCK, height - top)
    for (const strip of strips) strip.read(top, rows)
    for (const [index, plane] of planes.entries()) {
      const middle = 'channel' in plane ? MIDDLE : plane.middle
      const [a, b] = strips.map((strip) => strip.addressOf(index, 0)) as [number, number]
      sums[index] = (sums[index] as number) + workspace.kernels.compareBlocks(a, b, rowBytes(width), width, rows, middle)
    }
  }
  const blocks = Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK)
  return sums.map((sum) => sum / blocks)
}

/** Eight rows of a raster, in planes of floats. */
class Strip {
  readonly #workspace: Workspace
  readonly #samples: Samples
  readonly #planes: readonly PlaneOf[]
  readonly #row: number
  readonly #rows: number

  constructor(workspace: Workspace, samples: Samples, planes: readonly PlaneOf[]) {
    this.#workspace = workspace
    this.#samples = samples
    this.#planes = planes
    this.#row = workspace.allocate(samples.width * samples.channels + BEYOND)
    this.#rows = workspace.allocate(planes.length * BLOCK * rowBytes(samples.width))
  }

  addressOf(plane: number, row: number): number {
    return this.#rows + (plane * BLOCK + row) * rowBytes(this.#samples.width)
  }

  read(top: number, rows: number): void {
    const { data, width, channels } = this.#samples
    const { kernels } = this.#workspace
    const length = width * channels
    for (let row = 0; row < rows; row++) {
      this.#workspace.bytes(this.#row, length).set(data.subarray((top + row) * length, (top + row + 1) * length))
      for (const [index, plane] of this.#planes.entries()) {
        const to = this.addressOf(index, row)
        if ('channel' in plane) kernels.channel8(this.#row + plane.channel, width, channels, to)
        else kernels.plane8(this.#row, width, channels, ...plane.factors, to)
      }
    }
  }
}
