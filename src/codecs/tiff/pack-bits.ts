/** TIFF 6.0, section 9: a count from 0 says that so many bytes and one follow as they are, a negative one that a byte is repeated. */
export function expandPackBits(data: Uint8Array, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes)
  let [from, to] = [0, 0]
  while (from < data.length && to < bytes) {
    const count = data[from++] ?? 0
    if (count < 128) {
      const run = data.subarray(from, from + Math.min(count + 1, bytes - to))
      out.set(run, to)
      from += count + 1
      to += run.length
    } else if (count > 128) {
      const run = Math.min(257 - count, bytes - to)
      out.fill(data[from++] ?? 0, to, to + run)
      to += run
    }
  }
  return out.subarray(0, to)
}
