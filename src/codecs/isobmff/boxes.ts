/** Boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), which HEIC and AVIF are made of. */

export interface Box {
  readonly type: string
  /** What follows size and type; a full box's version and flags are its first four bytes. */
  readonly body: Buffer
}

const HEADER_BYTES = 8

/** The boxes that lie in `bytes`, one behind the other; damage ends the list. Sizes of 64 bits are not followed. */
export function boxesIn(bytes: Buffer): readonly Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const size = bytes.readUInt32BE(at) || bytes.length - at
    if (size < HEADER_BYTES || at + size > bytes.length) break
    boxes.push({ type: bytes.toString('latin1', at + 4, at + HEADER_BYTES), body: bytes.subarray(at + HEADER_BYTES, at + size) })
    at += size
  }
  return boxes
}

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, HEADER_BYTES))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...parts])
}

export const fullBox = (type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Buffer =>
  box(type, uint32((version << 24) | flags), ...parts)

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2)
  return bytes
}

export const uint8 = (...values: readonly number[]): Buffer => Buffer.from(values)
