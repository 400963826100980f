import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { ApiError } from '../contract/api-error.ts'
import { encodings } from './encodings.ts'
import type { DirectoryPlace } from './end-record.ts'
import { ensure, quotePath } from './errors.ts'
import {
  DIRECTORY_ROW,
  type ExtraField,
  extraFields,
  IN_ZIP64,
  isEncrypted,
  UNICODE_PATH_FIELD,
  UTF8_NAME,
  withZip64,
} from './layout.ts'
import { type NameEncoding, nameDecoder } from './names.ts'
import { LONGEST_PATH_BYTES } from './paths.ts'
import { type ArchiveSource, readExactly } from './source.ts'

/** A record of the central directory. Local headers must agree with it. */
export interface DirectoryRow {
  /** The raw bytes, which the local header must repeat. */
  readonly rawName: Buffer
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc32: number
  readonly compressedBytes: number
  readonly bytes: number
  /** The system on which it was made (APPNOTE §4.4.2), and the attributes of that system. */
  readonly system: number
  readonly attributes: number
  readonly encrypted: boolean
  /** Of its local header, from the start of the source. */
  readonly headerAt: number
}

/** 10,000 rows of 400 bytes; real ones have 100 to 200. The worst that fits takes a tenth of a second. */
const MOST_DIRECTORY_BYTES = 4 * 1024 * 1024

/**
 * Reads all records. Memory is bounded by the directory's size, which is checked before it is read.
 * @throws ApiError `invalid_archive`, or `archive_too_large` for a directory over 4 MiB
 */
export async function readDirectory(
  source: ArchiveSource,
  place: DirectoryPlace,
  nameEncoding: NameEncoding,
): Promise<readonly DirectoryRow[]> {
  if (place.bytes > MOST_DIRECTORY_BYTES) {
    throw new ApiError('archive_too_large', { message: "The archive's directory alone has more than 4 MB; send fewer files." })
  }
  const directory = await readExactly(source, place.at, place.bytes)
  const decode = nameDecoder(unmarkedNames(directory), nameEncoding)
  const rows: DirectoryRow[] = []
  let at = 0
  while (rows.length < place.entries) {
    const { row, end } = readRow(directory, at, place, decode)
    rows.push(row)
    at = end
  }
  ensure(at === directory.length, 'its directory has other entries than its end record says')
  return rows
}

interface RowParts {
  readonly rawName: Buffer
  readonly flags: number
  readonly fields: readonly ExtraField[]
  readonly nameAt: number
  readonly end: number
}

/** The parts of the record at a position; undefined where there is none. */
function partsAt(directory: Buffer, at: number): RowParts | undefined {
  const begins = at + DIRECTORY_ROW.bytes <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ROW.signature
  if (!begins) return undefined
  const nameAt = at + DIRECTORY_ROW.bytes
  const extraAt = nameAt + directory.readUInt16LE(at + 28)
  const commentAt = extraAt + directory.readUInt16LE(at + 30)
  const end = commentAt + directory.readUInt16LE(at + 32)
  if (end > directory.length) return undefined
  const rawName = directory.subarray(nameAt, extraAt)
  const fields = extraFields(directory.subarray(extraAt, commentAt))
  return { rawName, flags: directory.readUInt16LE(at + 8), fields, nameAt, end }
}

/** The names that do not say how they are encoded. */
function unmarkedNames(directory: Buffer): readonly Buffer[] {
  const names: Buffer[] = []
  for (let row = partsAt(directory, 0); row; row = partsAt(directory, row.end)) {
    if (markedName(row) === undefined) names.push(row.rawName)
  }
  return names
}

function readRow(
  directory: Buffer,
  at: number,
  { at: directoryAt, shift }: DirectoryPlace,
  decode: (name: Buffer) => string,
): { row: DirectoryRow; end: number } {
  const parts = partsAt(directory, at)
  ensure(parts !== undefined, 'its directory is damaged')
  const { rawName, flags, fields, nameAt, end } = parts
  const begin = encodings.cp437.decode(rawName.subarray(0, 100))
  ensure(rawName.length <= LONGEST_PATH_BYTES, `the path ${quotePath(begin)} has more than 1,024 bytes`)
  const name = markedName(parts) ?? decode(rawName)
  const disk = directory.readUInt16LE(at + 34)
  ensure(disk === 0 || disk === IN_ZIP64.short, `${quotePath(name)} is in another part of an archive that was split`)
  const { bytes, compressedBytes, headerAt } = readSizes(directory.subarray(at, nameAt), fields, name)
  // The exact end of the data is checked when the entry is read.
  ensure(shift + headerAt < directoryAt, `${quotePath(name)} begins behind the directory`)
  const method = directory.readUInt16LE(at + 10)
  const row: DirectoryRow = {
    rawName,
    name,
    flags,
    method,
    bytes,
    compressedBytes,
    headerAt: shift + headerAt,
    encrypted: isEncrypted(flags, method, fields),
    crc32: directory.readUInt32LE(at + 16),
    system: directory[at + 5] ?? 0,
    attributes: directory.readUInt32LE(at + 38),
  }
  return { row, end }
}

function readSizes(row: Buffer, fields: readonly ExtraField[], name: string) {
  const sizes = withZip64([row.readUInt32LE(24), row.readUInt32LE(20), row.readUInt32LE(42)], fields)
  ensure(sizes !== undefined, `the ZIP64 sizes of ${quotePath(name)} are damaged`)
  const [bytes = 0, compressedBytes = 0, headerAt = 0] = sizes
  return { bytes, compressedBytes, headerAt }
}

/** An entry's name, where the flag or the Unicode path field says that it is UTF-8, and it is. */
function markedName({ rawName, flags, fields }: RowParts): string | undefined {
  const markedBytes = (flags & UTF8_NAME) === 0 ? unicodePath(rawName, fields) : rawName
  return markedBytes && isUtf8(markedBytes) ? markedBytes.toString('utf8') : undefined
}

/** APPNOTE §4.6.9: version 1, the CRC-32 of the original name, the name. If the CRC differs, "ignore this field". */
function unicodePath(raw: Buffer, fields: readonly ExtraField[]): Buffer | undefined {
  const data = fields.find(({ id }) => id === UNICODE_PATH_FIELD)?.data
  if (!data || data.length < 6 || data[0] !== 1 || data.readUInt32LE(1) !== crc32(raw)) return undefined
  return data.subarray(5)
}
