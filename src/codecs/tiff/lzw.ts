const CLEAR = 256
const END = 257
const FIRST_FREE = 258
const MAX_CODES = 4_096

/** Reads codes of a changing number of bits, the highest bit first; undefined at the end. */
function codeReader(data: Uint8Array): (bits: number) => number | undefined {
  let [from, held, heldBits] = [0, 0, 0]
  return (bits) => {
    while (heldBits < bits && from < data.length) {
      held = ((held << 8) | (data[from++] ?? 0)) & 0xff_ff_ff
      heldBits += 8
    }
    if (heldBits < bits) return undefined
    heldBits -= bits
    return (held >> heldBits) & ((1 << bits) - 1)
  }
}

/** TIFF 6.0, section 13: codes of 9 to 12 bits, which grow one code early. Throws where a code stands for nothing. */
export function expandLzw(data: Uint8Array, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes)
  const read = codeReader(data)
  // A code stands for bytes that are in the output already: where they begin, and how many.
  const starts = new Uint32Array(MAX_CODES)
  const lengths = new Uint32Array(MAX_CODES)
  let [next, bits, to] = [FIRST_FREE, 9, 0]
  let [before, beforeLength] = [0, 0]
  for (let code = read(bits); to < bytes && code !== undefined && code !== END; code = read(bits)) {
    if (code === CLEAR) {
      ;[next, bits, beforeLength] = [FIRST_FREE, 9, 0]
      continue
    }
    const begin = to
    // The code that is about to be defined is what came before, and then its own first byte.
    if (code > next || (code === next && beforeLength === 0)) throw new RangeError('an LZW code stands for nothing yet')
    if (code < CLEAR) out[to++] = code
    else {
      const length = code < next ? (lengths[code] ?? 0) : beforeLength + 1
      const end = Math.min(bytes, to + length)
      for (let at = code < next ? (starts[code] ?? 0) : before; to < end; at++) out[to++] = out[at] ?? 0
    }
    if (beforeLength > 0 && next < MAX_CODES) {
      starts[next] = before
      lengths[next++] = beforeLength + 1
    }
    ;[before, beforeLength] = [begin, to - begin]
    if (next >= (1 << bits) - 1 && bits < 12) bits++
  }
  return out.subarray(0, to)
}
