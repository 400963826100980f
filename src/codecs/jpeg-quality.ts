/** ITU-T T.81, table K.1, in zigzag order, as files store it: libjpeg scales it to make its qualities. */
const LUMINANCE = [
  ...[16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40],
  ...[26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51],
  ...[56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87],
  ...[95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99],
] as const

const [DQT, SOS] = [0xdb, 0xda]

/** Sum of libjpeg's table at a quality of 1–100, its entries held to 8 bits as baseline JPEG has them. */
function coarsenessAt(quality: number): number {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - quality * 2
  return LUMINANCE.reduce((sum, entry) => sum + Math.min(255, Math.max(1, Math.floor((entry * percent + 50) / 100))), 0)
}

/**
 * The quality, 1–100, at which libjpeg quantises luma as coarsely as this file does: exact for files of libjpeg, and an
 * estimate for other tables. 100 where the file cannot be walked.
 */
export function jpegQualityOf(bytes: Buffer): number {
  const coarseness = coarsenessOf(bytes)
  if (coarseness === undefined) return 100
  for (let quality = 1; quality < 100; quality++) if (coarsenessAt(quality) <= coarseness) return quality
  return 100
}

/** Sum of the first quantisation table, which is luma's. */
function coarsenessOf(bytes: Buffer): number | undefined {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SOS; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] !== DQT || at + 5 + 64 > bytes.length) continue
    const wide = ((bytes[at + 4] ?? 0) & 0xf0) !== 0
    const table = bytes.subarray(at + 5, at + 5 + (wide ? 128 : 64))
    return table.reduce((sum, entry, index) => sum + (wide && index % 2 === 0 ? entry * 256 : entry), 0)
  }
  return undefined
}
