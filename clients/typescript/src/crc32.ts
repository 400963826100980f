/** Bytes in one step: "slicing by 8" of M. Kounavis and F. Berry, 2005. */
const STEP = 8

/** CRC-32 of ISO 3309, as used in ZIP: row n has the remainder of each byte that is followed by n more bytes. */
const TABLE = new Uint32Array(256 * STEP)
for (let byte = 0; byte < 256; byte++) {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  TABLE[byte] = rest
}
for (let at = 256; at < TABLE.length; at++) {
  const before = TABLE[at - 256] ?? 0
  TABLE[at] = (before >>> 8) ^ (TABLE[before & 0xff] ?? 0)
}

const look = (row: number, byte: number): number => TABLE[256 * row + (byte & 0xff)] ?? 0

/** Eight bytes at once; the first four are combined with the previous remainder. */
const afterStep = (low: number, high: number): number =>
  look(7, low) ^
  look(6, low >>> 8) ^
  look(5, low >>> 16) ^
  look(4, low >>> 24) ^
  look(3, high) ^
  look(2, high >>> 8) ^
  look(1, high >>> 16) ^
  look(0, high >>> 24)

function carryOn(before: number, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let rest = before
  let at = 0
  for (; at + STEP <= view.byteLength; at += STEP) rest = afterStep(rest ^ view.getUint32(at, true), view.getUint32(at + 4, true))
  for (; at < view.byteLength; at++) rest = look(0, rest ^ view.getUint8(at)) ^ (rest >>> 8)
  return rest
}

/** The CRC-32 of a file, which is never in memory as a whole. @throws the browser's error if it cannot read the file */
export async function crc32Of(file: Blob): Promise<number> {
  let rest = 0xffffffff
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return (rest ^ 0xffffffff) >>> 0
    rest = carryOn(rest, value)
  }
}
