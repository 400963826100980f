import { blocksOf, HEADER_BYTES, paletteSize } from '../gif/blocks.ts'

const TRAILER = Buffer.from([0x3b])

/** A GIF without comments, XMP and what stands behind its end; a damaged one as it is. */
export function stripGif(bytes: Buffer): Buffer {
  const blocks = blocksOf(bytes)
  if (!blocks) return bytes
  const head = bytes.subarray(0, HEADER_BYTES + paletteSize(bytes[10] ?? 0) * 3)
  const kept = blocks.filter(({ kind }) => kind !== 'other').map(({ start, end }) => bytes.subarray(start, end))
  const stripped = Buffer.concat([head, ...kept, TRAILER])
  return stripped.length < bytes.length ? stripped : bytes
}
