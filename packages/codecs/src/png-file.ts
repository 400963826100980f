import { crc32 } from 'node:zlib'

/** The container of PNG: a signature, then chunks (third edition, 5.2 and 5.3). */

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
export const SIGNATURE_BYTES = SIGNATURE.length
/** Length, type and checksum around each chunk's data. */
export const CHUNK_OVERHEAD = 12
/** Of the first chunk (11.2.1). */
export const HEADER_FIELD_BYTES = 13

export interface PngChunk {
  readonly type: string
  readonly data: Buffer
  /** Where it begins in the file. */
  readonly at: number
}

/** The chunks up to one that is cut. */
export function* chunksIn(file: Buffer): Generator<PngChunk> {
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD <= file.length; ) {
    const length = file.readUInt32BE(at)
    if (at + CHUNK_OVERHEAD + length > file.length) return
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length), at }
    at += CHUNK_OVERHEAD + length
  }
}

/** Whether the checksum of a chunk is that of its type and data. */
export const hasSoundChecksum = (file: Buffer, { data, at }: PngChunk): boolean =>
  crc32(file.subarray(at + 4, at + 8 + data.length)) === file.readUInt32BE(at + 8 + data.length)

export function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(CHUNK_OVERHEAD + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/** Colour types (11.2.1). */
export const colourType = { grey: 0, colour: 2, palette: 3, greyAlpha: 4, colourAlpha: 6 } as const

export interface PngHeader {
  readonly width: number
  readonly height: number
  /** Of a sample, or of a number of the palette. */
  readonly bits: 1 | 2 | 4 | 8
  readonly colourType: (typeof colourType)[keyof typeof colourType]
}

/**
 * A file without interlacing.
 * @param palette the chunks between the header and the pixels
 * @param deflatedRows the rows with their filters, compressed
 */
export function pngFile(header: PngHeader, palette: readonly Buffer[], deflatedRows: readonly Buffer[]): Buffer {
  return pngOfChunks(header, [...palette, ...deflatedRows.map((part) => chunk('IDAT', part))])
}

/** A file without interlacing, of the chunks between its header and its end. */
export function pngOfChunks(header: PngHeader, chunks: readonly Buffer[]): Buffer {
  const fields = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, header.bits, header.colourType, 0, 0, 0])
  fields.writeUInt32BE(header.width, 0)
  fields.writeUInt32BE(header.height, 4)
  return Buffer.concat([SIGNATURE, chunk('IHDR', fields), ...chunks, chunk('IEND', Buffer.alloc(0))])
}
