import type { HuffmanCoding } from './coding.ts'
import { type CodeTable, codeTables, LONGEST_CODE } from './huffman-codes.ts'
import type { InfoHeader } from './info-header.ts'
import { Plane } from './plane.ts'

/** Runs up to here end a colour's turn; longer ones are followed by the rest. */
const TERMINATING = 63
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
    for (let [x, colour] = [0, 0]; x < width; colour ^= 1) {
      const run = bits.run(colour === 0 ? white : black)
      if (run === undefined) return plane.rgba
      plane.fill(row, x, run, palette.packed[colour] ?? 0)
      x += run
    }
  }
  return plane.rgba
}

/** Bits, the highest of a byte first; zeros behind the end. */
class BitReader {
  readonly #bytes: Buffer
  #bit: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#bit = at * 8
  }

  /** Pixels of the next run; undefined where no code is, at the end of the file too. */
  run(table: CodeTable): number | undefined {
    for (let pixels = 0; ; ) {
      const code = table[this.#peek(LONGEST_CODE)]
      if (!code || this.#bit >= this.#bytes.length * 8) return undefined
      this.#bit += code.bits
      pixels += code.run
      if (code.run <= TERMINATING) return pixels
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
