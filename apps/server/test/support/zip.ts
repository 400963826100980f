import { crc32, deflateRawSync } from 'node:zlib'

/** Writes ZIPs field by field, so that a test can falsify any of them. Numbers are little-endian. */

/** Fields that are in both headers of an entry. */
interface Header {
  readonly name: string | Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  readonly extra: Buffer
}

export interface ZipEntry extends Partial<Header> {
  /** The uncompressed content. */
  readonly data?: Buffer
  /** The compressed data in the archive, if it is not `data` stored or deflated. */
  readonly packed?: Buffer
  /** Differences of the local header from the directory. */
  readonly local?: Partial<Header> & { readonly signature?: number }
  /** Follows the data; the local header then has no sizes. */
  readonly descriptor?: boolean
  /** Only in the directory: the system that made it and its attributes, the comment, the disk, the offset of the local header. */
  readonly madeBy?: number
  readonly attributes?: number
  readonly comment?: Buffer
  readonly disk?: number
  readonly headerAt?: number
  /** Writes sizes and offset into a ZIP64 field of the directory. */
  readonly zip64?: boolean
}

export interface ZipFile {
  readonly before?: Buffer
  readonly behind?: Buffer
  readonly comment?: Buffer
  readonly zip64?: boolean
  /** Offsets count from the start of the file, not of the archive after `before`. */
  readonly adjusted?: boolean
  /** Inserted after the last entry of the directory. */
  readonly behindDirectory?: Buffer
  readonly end?: Partial<Record<'disk' | 'directoryDisk' | 'entriesHere' | 'entries' | 'directoryBytes' | 'directoryAt', number>>
  /** Overrides of the ZIP64 record; `recordAt` is in its locator. */
  readonly end64?: Partial<
    Record<'disk' | 'entries' | 'directoryBytes' | 'directoryAt' | 'recordAt' | 'recordBytes' | 'disks', number>
  >
}

export const STORED = 0
export const DEFLATED = 8
export const UTF8 = 0x800
const DESCRIPTOR = 8

/** Fields of 2, 4 and 8 bytes, concatenated. */
export function fields(...pairs: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const writtenBytes = Buffer.alloc(pairs.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of pairs) {
    if (bytes === 8) writtenBytes.writeBigInt64LE(BigInt(value), at)
    else writtenBytes.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return writtenBytes
}

/** One extra field. */
export const extraField = (id: number, data: Buffer): Buffer => Buffer.concat([fields([2, id], [2, data.length]), data])

const bytesOf = (name: string | Buffer) => (typeof name === 'string' ? Buffer.from(name) : name)

/** An entry with correct values for everything that was not given. */
function completedEntry(entry: ZipEntry) {
  const data = entry.data ?? Buffer.alloc(0)
  const method = entry.method ?? STORED
  const packedBytesValue = entry.packed ?? (method === DEFLATED ? deflateRawSync(data) : data)
  const header: Header = {
    name: entry.name ?? 'a.png',
    flags: (entry.flags ?? UTF8) | (entry.descriptor ? DESCRIPTOR : 0),
    method,
    crc: entry.crc ?? crc32(data),
    packedBytes: entry.packedBytes ?? packedBytesValue.length,
    bytes: entry.bytes ?? data.length,
    extra: entry.extra ?? Buffer.alloc(0),
  }
  return { header, packed: packedBytesValue }
}

const middle = ({ flags, method, crc, packedBytes, bytes }: Header) =>
  fields([2, flags], [2, method], [2, 0], [2, 0x21], [4, crc], [4, packedBytes], [4, bytes])

/** Local header, data and data descriptor. */
export function localPart(entry: ZipEntry): Buffer {
  const { header, packed } = completedEntry(entry)
  const unknownValue = entry.descriptor ? { crc: 0, packedBytes: 0, bytes: 0 } : {}
  const local = { ...header, ...unknownValue, ...entry.local }
  const name = bytesOf(local.name)
  const descriptor = fields([4, 0x08074b50], [4, header.crc], [4, header.packedBytes], [4, header.bytes])
  return Buffer.concat([
    fields([4, entry.local?.signature ?? 0x04034b50], [2, 20]),
    middle(local),
    fields([2, name.length], [2, local.extra.length]),
    name,
    local.extra,
    packed,
    ...(entry.descriptor ? [descriptor] : []),
  ])
}

/** The entry's row in the central directory. */
export function directoryPart(entry: ZipEntry, at: number): Buffer {
  const { header } = completedEntry(entry)
  const headerAt = entry.headerAt ?? at
  const large = fields([8, header.bytes], [8, header.packedBytes], [8, headerAt])
  const shownHeader = entry.zip64 ? { ...header, packedBytes: 0xffffffff, bytes: 0xffffffff } : header
  const extra = entry.zip64 ? Buffer.concat([extraField(1, large), header.extra]) : header.extra
  const name = bytesOf(header.name)
  const comment = entry.comment ?? Buffer.alloc(0)
  return Buffer.concat([
    fields([4, 0x02014b50], [2, entry.madeBy ?? 0x031e], [2, 20]),
    middle(shownHeader),
    fields([2, name.length], [2, extra.length], [2, comment.length], [2, entry.disk ?? 0], [2, 0]),
    fields([4, entry.attributes ?? 0], [4, entry.zip64 ? 0xffffffff : headerAt]),
    name,
    extra,
    comment,
  ])
}

/** End of central directory, preceded by ZIP64's where requested. */
export function endPart(file: ZipFile, entries: number, directoryBytes: number, directoryAt: number): Buffer {
  const comment = file.comment ?? Buffer.alloc(0)
  const end = { disk: 0, directoryDisk: 0, entriesHere: entries, entries, directoryBytes, directoryAt, ...file.end }
  const large = {
    disk: 0,
    entries,
    directoryBytes,
    directoryAt,
    recordAt: directoryAt + directoryBytes,
    recordBytes: 44,
    ...file.end64,
  }
  const shownValue = file.zip64
    ? { ...end, entriesHere: 0xffff, entries: 0xffff, directoryBytes: 0xffffffff, directoryAt: 0xffffffff, ...file.end }
    : end
  const zip64 = Buffer.concat([
    fields(
      [4, 0x06064b50],
      [8, large.recordBytes],
      [2, 45],
      [2, 45],
      [4, large.disk],
      [4, 0],
      [8, large.entries],
      [8, large.entries],
    ),
    fields([8, large.directoryBytes], [8, large.directoryAt]),
    fields([4, 0x07064b50], [4, 0], [8, large.recordAt], [4, file.end64?.disks ?? 1]),
  ])
  return Buffer.concat([
    ...(file.zip64 ? [zip64] : []),
    fields(
      [4, 0x06054b50],
      [2, shownValue.disk],
      [2, shownValue.directoryDisk],
      [2, shownValue.entriesHere],
      [2, shownValue.entries],
    ),
    fields([4, shownValue.directoryBytes], [4, shownValue.directoryAt], [2, comment.length]),
    comment,
  ])
}

/** A whole ZIP. */
export function zipFile(entries: readonly ZipEntry[], file: ZipFile = {}): Buffer {
  const before = file.before ?? Buffer.alloc(0)
  const locals: Buffer[] = []
  const rows: Buffer[] = []
  let at = file.adjusted ? before.length : 0
  for (const entry of entries) {
    const local = localPart(entry)
    rows.push(directoryPart(entry, at))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat([...rows, file.behindDirectory ?? Buffer.alloc(0)])
  const end = endPart(file, entries.length, directory.length, at)
  return Buffer.concat([before, ...locals, directory, end, file.behind ?? Buffer.alloc(0)])
}

/**
 * After David Fifield, "A better zip bomb" (2019): one kernel of deflated zeros at the end, preceded by `files` local headers,
 * each quoted as a stored block of the entry before it, so that every entry unpacks all following headers and the kernel.
 */
export function overlappingBomb(files: number, kernelBytes: number): Buffer {
  const kernel = deflateRawSync(Buffer.alloc(kernelBytes))
  const nameOf = (file: number) => `${file}.bmp`
  const entries: ZipEntry[] = []
  let packedBuffer = kernel
  let data = Buffer.alloc(kernelBytes)
  for (let file = files - 1; file >= 0; file--) {
    const entry: ZipEntry = { name: nameOf(file), method: DEFLATED, packed: packedBuffer, data }
    entries.unshift(entry)
    const whole = localPart(entry)
    const header = whole.subarray(0, whole.length - packedBuffer.length)
    // A stored block that is not the last: 0, LEN, and its complement. It adds the next header to the stream as data.
    const quote = Buffer.concat([Buffer.from([0]), fields([2, header.length], [2, ~header.length & 0xffff])])
    packedBuffer = Buffer.concat([quote, header, packedBuffer])
    data = Buffer.concat([header, data])
  }
  const first = entries[0] ?? {}
  const local = localPart(first)
  let at = 0
  const rows = entries.map((entry) => {
    const row = directoryPart(entry, at)
    at += 30 + bytesOf(entry.name ?? '').length + 5
    return row
  })
  const directory = Buffer.concat(rows)
  return Buffer.concat([local, directory, endPart({}, files, directory.length, local.length)])
}
