const MAX_CODES = 4096
const MAX_WIDTH = 12

/**
 * The indices of one image. The codes may go on when the picture is full, as in other readers.
 * @param codes the sub-blocks put together
 * @param minSize 1–11, bits of a pixel
 * @returns undefined where a code stands for nothing, or too few pixels come
 */
export function decodeLzw(codes: Uint8Array, minSize: number, pixels: number): Uint8Array | undefined {
  const [clear, end] = [1 << minSize, (1 << minSize) + 1]
  const prefix = new Uint16Array(MAX_CODES)
  const [suffix, first] = [new Uint8Array(MAX_CODES), new Uint8Array(MAX_CODES)]
  const length = new Uint32Array(MAX_CODES)
  for (let code = 0; code < clear; code++) {
    suffix[code] = first[code] = code
    length[code] = 1
  }
  const indices = new Uint8Array(pixels)
  let [next, width, previous, at] = [end + 1, minSize + 1, -1, 0]
  let [bits, held, position] = [0, 0, 0]
  while (at < pixels) {
    while (held < width) {
      if (position === codes.length) return undefined
      bits |= (codes[position++] ?? 0) << held
      held += 8
    }
    const code = bits & ((1 << width) - 1)
    bits >>>= width
    held -= width
    if (code === end) return undefined
    if (code === clear) {
      ;[next, width, previous] = [end + 1, minSize + 1, -1]
      continue
    }
    // The one code that may come before it is known stands for the last string and its own first pixel.
    if (code > next || (code === next && (previous < 0 || next === MAX_CODES)) || (previous < 0 && code > end)) return undefined
    if (previous >= 0 && next < MAX_CODES) {
      prefix[next] = previous
      suffix[next] = first[code === next ? previous : code] ?? 0
      first[next] = first[previous] ?? 0
      length[next] = (length[previous] ?? 0) + 1
      next++
      if (next === 1 << width && width < MAX_WIDTH) width++
    }
    const start = at
    at += length[code] ?? 0
    for (let to = at - 1, step = code; to >= start; to--, step = prefix[step] ?? 0) indices[to] = suffix[step] ?? 0
    previous = code
  }
  return indices
}
