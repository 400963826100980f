/**
 * Bytes of pixels in another order.
 * @param length of the source in bytes; up to a vector is read and written beyond the last pixel
 * @param places 16 bytes: for each byte of the result, the number of the one in the source
 * @param step bytes of whole pixels that a vector of the source holds, `toStep` those that become of them
 */
export function permute(from: usize, length: usize, places: usize, step: usize, toStep: usize, to: usize): void {
  const order = v128.load(places)
  const end = from + length
  while (from < end) {
    v128.store(to, v128.swizzle(v128.load(from), order))
    from += step
    to += toStep
  }
}
