import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { IN_ZIP64 } from './layout.ts'
import { endBytes, endRecords } from './write-end-records.ts'
import { directoryRow, directoryRowBytes, type HeaderFields, localHeader, localHeaderBytes } from './write-headers.ts'
import type { WrittenEntry, WrittenStream } from './written-entry.ts'

/**
 * A ZIP of these entries, stored, one after the other as it is read: in memory are one chunk and the directory. Each entry is
 * asked for when the one before has been written. The stream fails, by a plain Error, where a content is not as long as
 * its `bytes` or has another CRC-32, and by a RangeError for one of 4 GiB or more.
 */
export function writeArchive(entries: AsyncIterable<WrittenEntry> | Iterable<WrittenEntry>): Readable {
  return Readable.from(parts(entries), { objectMode: false })
}

async function* parts(entries: AsyncIterable<WrittenEntry> | Iterable<WrittenEntry>): AsyncGenerator<Uint8Array> {
  const rows: Buffer[] = []
  let at = 0
  for await (const entry of entries) {
    const fields = fieldsOf(entry)
    rows.push(directoryRow(fields, at))
    yield localHeader(fields)
    if ('bytes' in entry) yield* checked(entry)
    else if (fields.bytes > 0) yield entry.content
    at += localHeaderBytes(fields.name) + fields.bytes
  }
  const directory = Buffer.concat(rows)
  yield Buffer.concat([directory, endRecords({ entries: rows.length, at, bytes: directory.length })])
}

function fieldsOf(entry: WrittenEntry): HeaderFields {
  const { path, modified } = entry
  const sizes = 'bytes' in entry ? entry : { bytes: entry.content.length, crc32: crc32(entry.content) }
  return { name: nameOf(path, sizes.bytes), modified, bytes: sizes.bytes, crc32: sizes.crc32 }
}

function nameOf(path: string, bytes: number): Buffer {
  if (bytes >= IN_ZIP64.long) throw new RangeError(`${path} has ${bytes} bytes; an entry can have less than 4 GiB`)
  return Buffer.from(path)
}

async function* checked({ path, content, bytes, crc32: expected }: WrittenStream): AsyncGenerator<Uint8Array> {
  let [length, checksum] = [0, 0]
  for await (const chunk of content) {
    length += chunk.length
    checksum = crc32(chunk, checksum)
    if (length > bytes) break
    if (chunk.length > 0) yield chunk
  }
  if (length !== bytes || checksum !== expected)
    throw new Error(`${path} is not the file that was noted: ${length} of ${bytes} bytes`)
}

/** The bytes of the archive that `writeArchive` makes of entries with these paths and lengths, in this order. */
export function archiveLength(entries: Iterable<{ readonly path: string; readonly bytes: number }>): number {
  let [count, at, directoryBytes] = [0, 0, 0]
  for (const { path, bytes } of entries) {
    const name = nameOf(path, bytes)
    count++
    directoryBytes += directoryRowBytes(name, at)
    at += localHeaderBytes(name) + bytes
  }
  return at + directoryBytes + endBytes({ entries: count, at, bytes: directoryBytes })
}
