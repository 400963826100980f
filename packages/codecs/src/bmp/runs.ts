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
  /** The packed RGBA of the nth colour from an offset in the file. */
  colour(at: number, nth: number): number
}

/** Decodes runs. Skipped pixels, and those after the end of the file, are transparent. */
export function decodeRuns(bytes: Buffer, header: InfoHeader, coding: RunCoding): Uint8Array {
  const plane = new Plane(header.width, header.height)
  const ink = inkOf(bytes, coding)
  const literalBytes = (count: number) => Math.ceil((count * ink.bits) / 16) * 2
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
      const first = ink.colour(colours, 0)
      const second = ink.colour(colours, ink.period - 1)
      if (first === second) plane.fill(row, x, count, first)
      else plane.paint(row, x, count, (nth) => (nth & 1 ? second : first))
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
      plane.paint(row, x, code, (nth) => ink.colour(colours, nth))
      x += code
    }
  }
  return plane.rgba
}

function inkOf(bytes: Buffer, coding: RunCoding): Ink {
  if (coding.bits === 24) {
    const rgba = new Uint8Array(4)
    const colourNumbers = new Uint32Array(rgba.buffer)
    const colour = (at: number, nth: number) => {
      const from = at + nth * 3
      rgba[0] = bytes[from + 2] ?? 0
      rgba[1] = bytes[from + 1] ?? 0
      rgba[2] = bytes[from] ?? 0
      rgba[3] = 255
      return colourNumbers[0] ?? 0
    }
    return { runBytes: 3, period: 1, bits: 24, colour }
  }
  const { packed } = coding.palette
  if (coding.bits === 8) {
    return { runBytes: 1, period: 1, bits: 8, colour: (at, nth) => packed[bytes[at + nth] ?? 0] ?? 0 }
  }
  // The first pixel is in the high half of a byte.
  const colour = (at: number, nth: number) => packed[((bytes[at + (nth >> 1)] ?? 0) >> (nth & 1 ? 0 : 4)) & 15] ?? 0
  return { runBytes: 1, period: 2, bits: 4, colour }
}

/** Pixels of packed RGBA, rows counted from the bottom as in BMP; initially transparent. Pixels beyond a row's end are ignored. */
export class Plane {
  readonly rgba: Uint8Array
  readonly #pixels: Uint32Array
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number) {
    this.rgba = new Uint8Array(width * height * 4)
    this.#pixels = new Uint32Array(this.rgba.buffer)
    this.#width = width
    this.#height = height
  }

  fill(row: number, x: number, count: number, colour: number): void {
    const from = this.#start(row)
    this.#pixels.fill(colour, from + Math.min(x, this.#width), from + Math.min(x + count, this.#width))
  }

  paint(row: number, x: number, count: number, colour: (nth: number) => number): void {
    const from = this.#start(row) + x
    const visibleCount = Math.min(count, this.#width - x)
    for (let nth = 0; nth < visibleCount; nth++) this.#pixels[from + nth] = colour(nth)
  }

  #start(row: number): number {
    return (this.#height - 1 - row) * this.#width
  }
}
