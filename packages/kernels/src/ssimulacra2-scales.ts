import { type Workspace, wholeVectors } from './memory.ts'
import type { Pixels } from './resample.ts'
import { sRgbCurve } from './srgb.ts'
import { type Outside, PlaneRows, RADIUS } from './ssimulacra2-planes.ts'

/** Pixels of 8 bits a channel. */
export interface Picture extends Pixels {
  readonly data: Uint8Array
}

/** What is compared, and how. */
export interface Comparison {
  /** For each scale, the first of full size and each other half as large as the one before: whether X, Y and B are compared. */
  readonly scales: readonly (readonly boolean[])[]
  /** The sample, 0 to 255, on which pixels with alpha are shown. */
  readonly background: number
  readonly outside: Outside
}

/** X, Y and B; or red, green and blue. */
const PLANES = 3

/** Linear light of all 8-bit samples, and of the last one again. */
const LIGHT = Float32Array.from({ length: 257 }, (_, sample) => sRgbCurve(Math.min(sample, 255) / 255))

/** Is told of a row of a plane. */
export type UseRow = (scale: number, plane: number, y: number) => void

/** Two rows of linear light, of which the next scale has the mean. */
interface LightRows {
  readonly width: number
  readonly height: number
  readonly stride: number
  /** Red, green and blue of even rows, then those of odd rows. */
  readonly address: number
}

/** Reads pictures row by row, at all scales at once, so that only rows are in memory. */
export class Scales {
  readonly width: number
  readonly height: number
  readonly planes: readonly (readonly (PlaneRows | undefined)[])[]
  readonly #workspace: Workspace
  readonly #light: readonly LightRows[]
  readonly #table: number
  readonly #background: number
  readonly #row: number

  constructor(workspace: Workspace, pictures: readonly Picture[], comparison: Comparison, blurs: 2 | 3) {
    const [first] = pictures
    if (!first) throw new Error('no picture to compare')
    const { width, height } = first
    if (pictures.some((picture) => picture.width !== width || picture.height !== height))
      throw new Error('Parts of a picture differ in size.')
    if (pictures.some(({ data, channels }) => data.length < width * height * channels))
      throw new Error('A raster has fewer samples than its size says.')
    this.width = width
    this.height = height
    this.#workspace = workspace
    this.#background = comparison.background
    this.#table = workspace.place(LIGHT)
    this.#row = workspace.allocate(width * Math.max(...pictures.map(({ channels }) => channels)))
    const sizes = comparison.scales.map((_, scale) => ({ width: lengthAt(width, scale), height: lengthAt(height, scale) }))
    this.#light = sizes.map((size) => {
      // The next scale reads two vectors of this one for one of its own.
      const stride = 2 * wholeVectors(2 * size.width + 2) + 32
      return { ...size, stride, address: workspace.allocate(2 * PLANES * stride) }
    })
    this.planes = sizes.map((size, scale) =>
      Array.from({ length: PLANES }, (_, plane) =>
        comparison.scales[scale]?.[plane] ? new PlaneRows(workspace, size, comparison.outside, blurs) : undefined,
      ),
    )
  }

  /** Before the first row of a picture. */
  begin(): void {
    for (const ofScale of this.planes) for (const plane of ofScale) plane?.clear()
  }

  /**
   * @param use is told of a row when it and the rows around it are blurred
   * @param begin is told of a row before it is blurred
   */
  readRow({ data, channels }: Picture, y: number, use: UseRow, begin?: UseRow): void {
    const bytes = this.width * channels
    this.#workspace.bytes(this.#row, bytes).set(data.subarray(y * bytes, (y + 1) * bytes))
    const [red, green, blue] = this.#lightAt(0, y)
    this.#workspace.kernels.lightRow(this.#row, this.width, channels, this.#table, this.#background, red, green, blue)
    if (channels < PLANES) this.#spreadGrey(0, y)
    this.#finish(0, y, use, begin)
  }

  /** Grey is equal light in all three. */
  #spreadGrey(scale: number, y: number): void {
    const [red, green, blue] = this.#lightAt(scale, y)
    const { stride } = this.#light[scale] as LightRows
    const memory = this.#workspace.bytes(0, blue + stride)
    memory.copyWithin(green, red, red + stride)
    memory.copyWithin(blue, red, red + stride)
  }

  /** Takes a row of light through the planes of its scale, and every second one to the next scale. */
  #finish(scale: number, y: number, use: UseRow, begin: UseRow | undefined): void {
    const { width, height } = this.#light[scale] as LightRows
    const planes = this.planes[scale] ?? []
    const [x, brightness, blueness] = planes.map((plane) => plane?.rowAt(y) ?? 0) as [number, number, number]
    const [red, green, blue] = this.#lightAt(scale, y)
    if (planes.some(Boolean)) this.#workspace.kernels.opsinRow(red, green, blue, width, x, brightness, blueness)
    for (const [number, plane] of planes.entries()) {
      if (!plane) continue
      begin?.(scale, number, y)
      plane.blurAcross(y)
      if (y >= RADIUS) use(scale, number, y - RADIUS)
      if (y < height - 1) continue
      for (let last = Math.max(0, height - RADIUS); last < height; last++) {
        plane.clearRow(last + RADIUS)
        use(scale, number, last)
      }
    }
    const next = this.#light[scale + 1]
    if (!next || (y % 2 === 0 && y < height - 1)) return
    const upper = this.#lightAt(scale, y - (y % 2))
    const lower = this.#lightAt(scale, y)
    for (const [channel, to] of this.#lightAt(scale + 1, y >> 1).entries())
      this.#workspace.kernels.halveRow(upper[channel] as number, lower[channel] as number, next.width, to)
    this.#finish(scale + 1, y >> 1, use, begin)
  }

  #lightAt(scale: number, y: number): readonly [red: number, green: number, blue: number] {
    const { address, stride } = this.#light[scale] as LightRows
    const red = address + (y % 2) * PLANES * stride
    return [red, red + stride, red + 2 * stride]
  }
}

const lengthAt = (length: number, times: number): number => Math.ceil(length / 2 ** times)
