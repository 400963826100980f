const MAX_WIDTH = 12
const BLOCK_BYTES = 255

/** Puts codes of up to 12 bits one behind the other, the lowest bit first. */
export interface CodeWriter {
  write(code: number, width: number): void
  bits(): number
  /** Image data as in the file: the bits of a pixel, sub-blocks of 255 bytes, an empty one. */
  finish(minSize: number): Buffer
}

/** @param codes how many are written at most */
export function codeWriter(codes: number): CodeWriter {
  const bytes = new Uint8Array(Math.ceil((codes * MAX_WIDTH) / 8) + 4)
  let [held, bits, at] = [0, 0, 0]
  return {
    write(code, width) {
      bits |= code << held
      held += width
      for (; held >= 8; held -= 8) {
        bytes[at++] = bits
        bits >>>= 8
      }
    },
    bits: () => at * 8 + held,
    finish(minSize) {
      if (held > 0) bytes[at++] = bits
      const data = Buffer.alloc(at + Math.ceil(at / BLOCK_BYTES) + 2)
      data[0] = minSize
      let to = 1
      for (let from = 0; from < at; from += BLOCK_BYTES) {
        const block = bytes.subarray(from, Math.min(from + BLOCK_BYTES, at))
        data[to] = block.length
        data.set(block, to + 1)
        to += block.length + 1
      }
      return data
    },
  }
}
