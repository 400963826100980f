import type { SkipReason } from './skipped.ts'

/** What an archive's directory says of one entry. */
export interface ArchiveEntry {
  /** Its place in the directory, from 0. */
  readonly index: number
  /** With `/` between the segments, safe in itself; two entries may have the same. */
  readonly path: string
  /** Unpacked, as declared: `readEntry` holds it to that. */
  readonly bytes: number
  readonly compressedBytes: number
  readonly kind: 'file' | SkipReason
  readonly packed: PackedData
}

/** Where an entry's data is and how it is packed. Plain numbers and text, so that it can be kept as JSON. */
export interface PackedData {
  /** Of the local header, and of the next entry's or the directory: header and data must end before. */
  readonly headerAt: number
  readonly endsBefore: number
  /** Stored or deflated. */
  readonly method: number
  readonly crc32: number
  /** The name's bytes in the directory, in base64: the local header must have the same. */
  readonly rawName: string
}
