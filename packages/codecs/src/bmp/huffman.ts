import type { HuffmanCoding } from './coding.ts'
import type { InfoHeader } from './header.ts'
import { Plane } from './runs.ts'

/** Codes up to this run length end a run; longer ones are make-up codes. */
const LAST_TERMINATING = 63
/** EOL is eleven zeros or more, and a one. */
const END_OF_LINE_ZEROS = 11

/**
 * Decodes OS/2's Huffman 1D: the one-dimensional coding of ITU-T T.4, its white being the first colour. Rows may begin
 * with EOL. From the first fault on, pixels are transparent.
 */
export function decodeHuffman(bytes: Buffer, header: InfoHeader, { palette }: HuffmanCoding): Uint8Array {
  const { width, height, pixelsAt } = header
  const plane = new Plane(width, height)
  const bits = new BitReader(bytes, pixelsAt)
  const [white, black] = codeTables()
  for (let row = 0; row < height; row++) {
    bits.skipEndOfLine()
    let colour = 0
    for (let x = 0; x < width; colour ^= 1) {
      const run = bits.run(colour === 0 ? white : black)
      if (run === undefined) return plane.rgba
      plane.fill(row, x, run, palette.packed[colour] ?? 0)
      x += run
    }
  }
  return plane.rgba
}

/** Reads bits, the highest of a byte first; zeros after the end. */
class BitReader {
  readonly #bytes: Buffer
  #bit: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#bit = at * 8
  }

  /** Pixels of the next run; undefined for an invalid code and at the end of the file. */
  run(table: CodeTable): number | undefined {
    for (let pixels = 0; ; ) {
      const code = table[this.#peek(LONGEST_CODE)]
      if (!code || this.#bit >= this.#bytes.length * 8) return undefined
      this.#bit += code.bits
      pixels += code.run
      if (code.run <= LAST_TERMINATING) return pixels
    }
  }

  skipEndOfLine(): void {
    if (this.#peek(END_OF_LINE_ZEROS) !== 0) return
    const end = this.#bytes.length * 8
    while (this.#bit < end && this.#peek(1) === 0) this.#bit++
    this.#bit++
  }

  #peek(count: number): number {
    const at = this.#bit >> 3
    const next = ((this.#bytes[at] ?? 0) << 16) | ((this.#bytes[at + 1] ?? 0) << 8) | (this.#bytes[at + 2] ?? 0)
    return (next >> (24 - (this.#bit & 7) - count)) & (2 ** count - 1)
  }
}

/** The codes of ITU-T T.4, tables 2 and 3: runs of 0–63 pixels, then of 64, 128, … up to 1728. */

const white = `
  00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101
  101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010
  00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010
  00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100
  11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011
  011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011`

const black = `
  0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000
  0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 000011001011
  000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 000011010100 000011010101
  000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111
  000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 000001011000
  000001011001 000000101011 000000101100 000001011010 000001100110 000001100111
  0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 0000001001010
  0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 0000001110110 0000001110111
  0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 0000001100100 0000001100101`

/** For both colours, from 1792 on. */
const long = `
  00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111
  000000011100 000000011101 000000011110 000000011111`

/** Bits of the longest code. */
const LONGEST_CODE = 13
const TERMINATING = 64

export interface Code {
  /** The run length, and the bits of its code. */
  readonly run: number
  readonly bits: number
}

/** By the next 13 bits: the code that they begin with. */
export type CodeTable = readonly (Code | undefined)[]

function tableOf(codes: string): CodeTable {
  const table = new Array<Code | undefined>(2 ** LONGEST_CODE).fill(undefined)
  for (const [index, code] of codes.trim().split(/\s+/).entries()) {
    const run = index < TERMINATING ? index : (index - TERMINATING + 1) * TERMINATING
    const free = LONGEST_CODE - code.length
    const first = Number.parseInt(code, 2) << free
    table.fill({ run, bits: code.length }, first, first + (1 << free))
  }
  return table
}

/** Created on first use: hardly any file needs them. */
let tables: readonly [white: CodeTable, black: CodeTable] | undefined
export function codeTables(): readonly [white: CodeTable, black: CodeTable] {
  tables ??= [tableOf(white + long), tableOf(black + long)]
  return tables
}
