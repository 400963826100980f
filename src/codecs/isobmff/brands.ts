const FIRST_BRAND = 8
const COMPATIBLE_BRANDS = 16

/** The major brand and the compatible ones of a file that begins with an `ftyp` box (ISO/IEC 14496-12, 4.3); none if it does not. */
export function brandsOf(head: Buffer): readonly string[] {
  if (head.length < COMPATIBLE_BRANDS || head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const count = Math.max(0, (end - COMPATIBLE_BRANDS) >> 2)
  const places = [FIRST_BRAND, ...Array.from({ length: count }, (_, index) => COMPATIBLE_BRANDS + index * 4)]
  return places.map((at) => head.toString('latin1', at, at + 4))
}
