import type { RunCoding } from './coding.ts'
import type { InfoHeader } from './header.ts'
import { DELTA, END_OF_BITMAP, END_OF_LINE } from './layout.ts'

/** How the colours of a run or a literal are coded. */
interface Ink {
  /** Bytes of a run's colours. */
  readonly runBytes: number
  /** How many colours a run repeats. */
  readonly period: 1 | 2
  /** Bits of a colour. */
  readonly bits: 4 | 8 | 24
  /** Writes `count` colours, as packed RGBA, from an offset in the file. */
  copy(at: number, count: number, pixels: Uint32Array, to: number): void
}

/** Decodes runs. Skipped pixels, and those after the end of the file, are transparent. */
export function decodeRuns(bytes: Buffer, header: InfoHeader, coding: RunCoding): Uint8Array {
  const plane = new Plane(header.width, header.height)
  const ink = inkOf(bytes, coding)
  const literalBytes = (count: number) => Math.ceil((count * ink.bits) / 16) * 2
  const runColours = new Uint32Array(2)
  let at = header.pixelsAt
  let x = 0
  let row = 0
  // Each iteration consumes at least two bytes, and no pixel is painted twice: x and row only grow.
  while (row < header.height && at + 2 <= bytes.length) {
    const count = bytes[at] ?? 0
    const code = bytes[at + 1] ?? 0
    if (count > 0) {
      const colours = at + 1
      at = colours + ink.runBytes
      if (at > bytes.length) break
      ink.copy(colours, ink.period, runColours, 0)
      const first = runColours[0] as number
      const second = runColours[ink.period - 1] as number
      if (first === second) plane.fill(row, x, count, first)
      else plane.alternate(row, x, count, first, second)
      x += count
    } else if (code === END_OF_LINE) {
      at += 2
      x = 0
      row++
    } else if (code === END_OF_BITMAP) {
      break
    } else if (code === DELTA) {
      x += bytes[at + 2] ?? 0
      row += bytes[at + 3] ?? 0
      at += 4
    } else {
      const colours = at + 2
      at = colours + literalBytes(code)
      // The padding of the last may be missing.
      if (colours + Math.ceil((code * ink.bits) / 8) > bytes.length) break
      const visible = plane.visible(x, code)
      if (visible > 0) ink.copy(colours, visible, plane.pixels, plane.at(row, x))
      x += code
    }
  }
  return plane.rgba
}

function inkOf(bytes: Buffer, coding: RunCoding): Ink {
  if (coding.bits === 24) return { runBytes: 3, period: 1, bits: 24, copy: copyBytes(bytes) }
  const { packed } = coding.palette
  return coding.bits === 8
    ? { runBytes: 1, period: 1, bits: 8, copy: copyEntries(bytes, packed) }
    : { runBytes: 1, period: 2, bits: 4, copy: copyHalves(bytes, packed) }
}

const copyEntries =
  (bytes: Buffer, colours: Uint32Array): Ink['copy'] =>
  (at, count, pixels, to) => {
    for (let nth = 0; nth < count; nth++) pixels[to + nth] = colours[bytes[at + nth] as number] as number
  }

/** The first pixel is in the high half of a byte. */
const copyHalves =
  (bytes: Buffer, colours: Uint32Array): Ink['copy'] =>
  (at, count, pixels, to) => {
    for (let nth = 0; nth < count; nth++)
      pixels[to + nth] = colours[((bytes[at + (nth >> 1)] as number) >> (nth & 1 ? 0 : 4)) & 15] as number
  }

function copyBytes(bytes: Buffer): Ink['copy'] {
  return (at, count, pixels, to) => {
    const rgba = new Uint8Array(pixels.buffer, pixels.byteOffset + to * 4, count * 4)
    for (let nth = 0, from = at; nth < count; nth++, from += 3) {
      rgba[nth * 4] = bytes[from + 2] as number
      rgba[nth * 4 + 1] = bytes[from + 1] as number
      rgba[nth * 4 + 2] = bytes[from] as number
      rgba[nth * 4 + 3] = 255
    }
  }
}

/** Pixels of packed RGBA, rows counted from the bottom as in BMP; initially transparent. Pixels beyond a row's end are ignored. */
export class Plane {
  readonly rgba: Uint8Array
  readonly pixels: Uint32Array
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number) {
    this.rgba = new Uint8Array(width * height * 4)
    this.pixels = new Uint32Array(this.rgba.buffer)
    this.#width = width
    this.#height = height
  }

  fill(row: number, x: number, count: number, colour: number): void {
    const from = this.at(row, 0)
    this.pixels.fill(colour, from + Math.min(x, this.#width), from + Math.min(x + count, this.#width))
  }

  alternate(row: number, x: number, count: number, first: number, second: number): void {
    const from = this.at(row, x)
    const visible = this.visible(x, count)
    for (let nth = 0; nth < visible; nth++) this.pixels[from + nth] = nth & 1 ? second : first
  }

  /** How many of the pixels from x on are inside a row; none or a negative number where x is not. */
  visible(x: number, count: number): number {
    return Math.min(count, this.#width - x)
  }

  /** The place of a pixel. */
  at(row: number, x: number): number {
    return (this.#height - 1 - row) * this.#width + x
  }
}
