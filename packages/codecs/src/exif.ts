/** TIFF tag 0x0112, Orientation: 1 is upright. */
const ORIENTATION = 0x0112
const ENTRY_BYTES = 12
/** Far more than any camera writes into its first directory. */
const MAX_ENTRIES = 1_000

/** The orientation, 1–8, in the TIFF structure of an EXIF block; 1 by default. */
export function orientationOf(tiff: Buffer): number {
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  if (tiff.length < 14) return 1
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const end = Math.min(directory + 2 + Math.min(u16(directory), MAX_ENTRIES) * ENTRY_BYTES, tiff.length)
  for (let entry = directory + 2; entry + ENTRY_BYTES <= end; entry += ENTRY_BYTES) {
    const value = u16(entry + 8)
    if (u16(entry) === ORIENTATION && value >= 1 && value <= 8) return value
  }
  return 1
}

/** A TIFF structure with the orientation alone, to replace an EXIF block. */
export function orientationOnly(orientation: number): Buffer {
  const entry = [0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0x00, orientation, 0, 0]
  return Buffer.from([0x4d, 0x4d, 0x00, 0x2a, 0, 0, 0, 8, 0x00, 0x01, ...entry, 0, 0, 0, 0])
}
