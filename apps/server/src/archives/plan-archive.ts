import { createHash } from 'node:crypto'
import { IN_ZIP64 } from './layout.ts'
import { directoryRow, endRecords, type HeaderFields, localHeader } from './write-records.ts'

/**
 * A file to store in an archive without compression, since Deflate does not shrink images. Its length and CRC-32 are known, so that every
 * header is complete without a data descriptor, with which many programs cannot find the end of a stored entry.
 */
export interface PlannedFile<Content> {
  /** With `/` between the segments; as `resultPaths` makes them. */
  readonly path: string
  /** The bytes, or a reference to them. */
  readonly content: Buffer | Content
  readonly bytes: number
  readonly crc32: number
}

/** A segment of an archive: bytes in memory, or a whole file. */
export interface Segment<Content> {
  readonly at: number
  readonly bytes: number
  readonly content: Buffer | Content
}

/** A ZIP that is not stored anywhere: any range of its bytes can be computed from the plan. */
export interface ArchivePlan<Content> {
  /** Bytes of all. */
  readonly size: number
  /** In order, without gaps; none is empty. */
  readonly segments: readonly Segment<Content>[]
}

/**
 * Lays out a ZIP of these files, stored, one after the other. The same files give the same bytes.
 * @param modifiedAt the time of every file: written as UTC in steps of two seconds, from 1980 to 2107
 * @throws RangeError for a file of 4 GiB or more; the archive may be larger
 */
export function planArchive<Content>(files: readonly PlannedFile<Content>[], modifiedAt: Date): ArchivePlan<Content> {
  const segments: Segment<Content>[] = []
  const rows: Buffer[] = []
  let at = 0
  function add(bytes: number, content: Buffer | Content): void {
    if (bytes > 0) segments.push({ at, bytes, content })
    at += bytes
  }
  for (const { path, content, bytes, crc32 } of files) {
    if (bytes >= IN_ZIP64.long) throw new RangeError(`${path} has ${bytes} bytes; an entry can have less than 4 GiB`)
    const fields: HeaderFields = { name: Buffer.from(path), modified: modifiedAt, bytes, crc32 }
    const header = localHeader(fields)
    rows.push(directoryRow(fields, at))
    add(header.length, header)
    add(bytes, content)
  }
  const directory = Buffer.concat(rows)
  const end = Buffer.concat([directory, endRecords({ entries: rows.length, at, bytes: directory.length })])
  add(end.length, end)
  return { size: at, segments }
}

/** A hash that is equal for equal bytes, since the headers have the CRC-32 of every file; in characters allowed in an ETag. */
export function fingerprintOf<Content>({ segments }: ArchivePlan<Content>): string {
  const hash = createHash('sha256')
  for (const { content } of segments) if (Buffer.isBuffer(content)) hash.update(content)
  return hash.digest('base64url')
}
