/** Boxes of the ISO base media file format (ISO/IEC 14496-12, 4.2), which HEIC and AVIF are made of. */

export interface Box {
  readonly type: string
  /** What follows size and type; a full box's version and flags are its first four bytes. */
  readonly body: Buffer
}

const HEADER_BYTES = 8

/** The consecutive boxes in `bytes`, up to a damaged one or one with a 64-bit size. */
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

/** The type of a `uuid` box with a C2PA manifest (C2PA 2.2, A.5). */
export const C2PA_UUID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')

/** A top-level box, which may have a 64-bit size, as phones write for media data. */
export interface FileBox extends Box {
  readonly header: Buffer
}

const SIZE_FOLLOWS = 1
const SHORT_HEADER = 8
const LONG_HEADER = 16

/** The boxes of a whole file; none when they do not end where the file ends. */
export function fileBoxesIn(file: Buffer): readonly FileBox[] {
  const { boxes, rest } = wholeBoxesIn(file)
  return rest.length === 0 ? boxes : []
}

/** The boxes of a file up to one that is cut or damaged, and what is there of that one. */
export function wholeBoxesIn(file: Buffer): { readonly boxes: readonly FileBox[]; readonly rest: Buffer } {
  const boxes: FileBox[] = []
  let at = 0
  while (at + SHORT_HEADER <= file.length) {
    const size = file.readUInt32BE(at) || file.length - at
    const long = size === SIZE_FOLLOWS
    if (long && at + LONG_HEADER > file.length) break
    const headerBytes = long ? LONG_HEADER : SHORT_HEADER
    const end = at + (long ? Number(file.readBigUInt64BE(at + SHORT_HEADER)) : size)
    if (end < at + headerBytes || end > file.length) break
    const header = file.subarray(at, at + headerBytes)
    boxes.push({ type: header.toString('latin1', 4, 8), header, body: file.subarray(at + headerBytes, end) })
    at = end
  }
  return { boxes, rest: file.subarray(at) }
}

/** The box with another body; its size field keeps its width. */
export function withBody({ header }: FileBox, body: Buffer): Buffer {
  const start = Buffer.from(header)
  const size = header.length + body.length
  if (header.length === LONG_HEADER) start.writeBigUInt64BE(BigInt(size), SHORT_HEADER)
  else start.writeUInt32BE(size)
  return Buffer.concat([start, body])
}
