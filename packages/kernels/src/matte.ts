import { openWorkspace, type Workspace, wholeVectors } from './memory.ts'

const RGBA = 4
const RGB = 3

interface Size {
  readonly width: number
  readonly height: number
}

/** 8-bit RGBA in rows. */
export interface RgbaPicture extends Size {
  readonly data: Uint8Array
}

export interface Survey {
  /** The mean of a block of pixels each, without alpha: RGB. */
  readonly small: Size & { readonly data: Uint8Array; readonly channels: 3 }
  /** How many pixels have less alpha than `opaque`. */
  readonly translucent: number
}

/**
 * Shrinks a picture by averaging boxes, and counts what is not opaque on the way.
 * @param size neither side may be longer than the picture's
 */
export function surveyPicture({ data, width, height }: RgbaPicture, size: Size, opaque: number): Survey {
  if (data.length < width * height * RGBA) throw new Error('A raster has fewer samples than its size says.')
  using workspace = openWorkspace()
  const { kernels } = workspace
  const starts = boxes(width, size.width)
  const rows = boxes(height, size.height)
  const columns = workspace.place(starts)
  const rowLength = width * RGBA
  const row = workspace.allocate(rowLength)
  const sums = workspace.allocate(size.width * RGBA * 4)
  const rowView = workspace.bytes(row, rowLength)
  const sumView = workspace.addresses(sums, size.width * RGBA)
  const small = new Uint8Array(size.width * size.height * RGB)
  let translucent = 0
  for (let y = 0; y < size.height; y++) {
    const top = rows[y] as number
    const bottom = rows[y + 1] as number
    sumView.fill(0)
    for (let from = top * rowLength; from < bottom * rowLength; from += rowLength) {
      rowView.set(data.subarray(from, from + rowLength))
      kernels.addBoxes(row, columns, size.width, sums)
      translucent += kernels.countBelow(row, width, opaque)
    }
    writeMeans(sumView, starts, bottom - top, small.subarray(y * size.width * RGB, (y + 1) * size.width * RGB))
  }
  return { small: { ...size, data: small, channels: RGB }, translucent }
}

/** Where each of `count` boxes along a side of that length begins, and where the last one ends. */
const boxes = (length: number, count: number): Int32Array =>
  Int32Array.from({ length: count + 1 }, (_, box) => Math.ceil((box * length) / count))

function writeMeans(sums: Uint32Array, starts: Int32Array, rows: number, to: Uint8Array): void {
  for (let box = 0; box < starts.length - 1; box++) {
    const pixels = rows * ((starts[box + 1] as number) - (starts[box] as number))
    for (let channel = 0; channel < RGB; channel++)
      to[box * RGB + channel] = Math.round((sums[box * RGBA + channel] as number) / pixels)
  }
}

/**
 * What a small picture says about a large one, in planes: its signed distance to the uncertain zone; the linear model of its opacity
 * (factors of red, green and blue in 0–255, constant); and for subject and background nearby, the weighted mean of red, green and blue
 * in 0–255, the weight, and the weighted mean of the squares.
 */
export interface MatteMaps extends Size {
  readonly planes: readonly Float32Array[]
}

const PLANES = 15

/** Distance from the outline, in pixels of the small picture, beyond which a pixel is all subject or all background. */
const BAND = 6
const FLOAT = 4
/** Vectors may reach that far beyond a row. */
const BEYOND = 16

/** Pixels of a row that lie between the same two pixels of the small picture. */
interface Run {
  /** The first of them, and the first after them. */
  readonly from: number
  readonly to: number
  /** The two small pixels. */
  readonly left: number
  readonly right: number
}

/**
 * Makes the background of a picture transparent, in place: computes opacity from the small picture's maps and the large one's
 * colours, and removes background colour from the outline. What becomes fully transparent is 0.
 */
export function applyMaps({ data, width, height }: RgbaPicture, maps: MatteMaps): void {
  if (data.length < width * height * RGBA) throw new Error('A raster has fewer samples than its size says.')
  using workspace = openWorkspace()
  const runs = runsOf(width, maps.width)
  const matte = new RowMatte(workspace, width, maps, runs)
  for (let y = 0; y < height; y++) {
    const distances = matte.moveTo(positionIn(y, height, maps.height))
    for (let run = 0; run < runs.length; ) {
      const kind = kindOf(runs[run] as Run, distances)
      let end = run + 1
      while (end < runs.length && kindOf(runs[end] as Run, distances) === kind) end++
      const from = (y * width + (runs[run] as Run).from) * RGBA
      const to = (y * width + (runs[end - 1] as Run).to) * RGBA
      if (kind === 'background') data.fill(0, from, to)
      else if (kind === 'outline') matte.apply(data.subarray(from, to), run, end)
      run = end
    }
  }
}

/** The position of a sample in a smaller picture: pixels are squares, and the edges of both pictures coincide. */
export const positionIn = (sample: number, length: number, smallLength: number): number =>
  Math.max(0, Math.min(smallLength - 1, ((sample + 0.5) * smallLength) / length - 0.5))

function kindOf({ left, right }: Run, row: Float32Array): 'subject' | 'background' | 'outline' {
  const distance = row[left] as number
  const other = row[right] as number
  if (Math.min(distance, other) >= BAND) return 'subject'
  return Math.max(distance, other) <= -BAND ? 'background' : 'outline'
}

function runsOf(width: number, smallWidth: number): readonly Run[] {
  const leftOf = (x: number): number => Math.floor(Math.fround(positionIn(x, width, smallWidth)))
  const runs: Run[] = []
  for (let from = 0; from < width; ) {
    const left = leftOf(from)
    let to = from + 1
    while (to < width && leftOf(to) === left) to++
    runs.push({ from, to, left, right: Math.min(left + 1, smallWidth - 1) })
    from = to
  }
  return runs
}

/** The numbers of a row of the picture, between two rows of the maps. */
class RowMatte {
  readonly #workspace: Workspace
  readonly #maps: MatteMaps
  readonly #runs: readonly Run[]
  /** Bytes of a plane's row. */
  readonly #stride: number
  readonly #upper: number
  readonly #lower: number
  readonly #row: number
  readonly #table: number
  readonly #shares: number
  readonly #pixels: number
  readonly #distances: Float32Array
  #at = -1

  constructor(workspace: Workspace, width: number, maps: MatteMaps, runs: readonly Run[]) {
    this.#workspace = workspace
    this.#maps = maps
    this.#runs = runs
    this.#stride = wholeVectors(maps.width * FLOAT)
    if (maps.planes.length !== PLANES) throw new Error(`There are ${PLANES} planes in the maps of a matte.`)
    const shares = Float32Array.from({ length: width }, (_, x) => Math.fround(positionIn(x, width, maps.width)))
    for (const { from, to, left } of runs) for (let x = from; x < to; x++) shares[x] = (shares[x] as number) - left
    this.#table = workspace.place(
      Int32Array.from(runs.flatMap(({ from, to, left, right }) => [to - from, left * FLOAT, right * FLOAT, 0])),
    )
    this.#shares = workspace.place(shares)
    this.#upper = workspace.allocate(PLANES * this.#stride)
    this.#lower = workspace.allocate(PLANES * this.#stride)
    this.#row = workspace.allocate(PLANES * this.#stride)
    this.#pixels = workspace.allocate(width * RGBA + BEYOND)
    this.#distances = workspace.floats(this.#row, maps.width)
  }

  /** @returns the distances there */
  moveTo(position: number): Float32Array {
    const upper = Math.floor(position)
    if (upper !== this.#at) {
      this.#read(upper, this.#upper)
      this.#read(Math.min(upper + 1, this.#maps.height - 1), this.#lower)
      this.#at = upper
    }
    this.#workspace.kernels.mixNumbers(this.#upper, this.#lower, position - upper, (PLANES * this.#stride) / FLOAT, this.#row)
    return this.#distances
  }

  #read(row: number, address: number): void {
    const { planes, width } = this.#maps
    for (const [plane, values] of planes.entries())
      this.#workspace.floats(address + plane * this.#stride, width).set(values.subarray(row * width, (row + 1) * width))
  }

  /** @param pixels of some runs, changed in place */
  apply(pixels: Uint8Array, run: number, end: number): void {
    const view = this.#workspace.bytes(this.#pixels, pixels.length)
    view.set(pixels)
    const shares = this.#shares + (this.#runs[run] as Run).from * FLOAT
    this.#workspace.kernels.matteRuns(this.#pixels, this.#table + run * 16, end - run, shares, this.#row, this.#stride)
    pixels.set(view)
  }
}
