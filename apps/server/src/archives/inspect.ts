import { megabytes } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../contract/api-error.ts'
import { type DirectoryRow, readDirectory } from './directory.ts'
import { findDirectory } from './end-record.ts'
import { ensure, quotePath } from './errors.ts'
import { DEFLATED, isPatch, LOCAL_HEADER, OTHER_METHODS, STORED } from './layout.ts'
import type { NameEncoding } from './names.ts'
import { entryPath, FOLDER_ICON } from './paths.ts'
import type { ArchiveSource } from './source.ts'

export interface ArchiveLimits {
  readonly archiveBytes: number
  /** Files that may be images. */
  readonly entries: number
  /** Of these files together, as declared in the directory. */
  readonly unpackedBytes: number
}

/** Folders, and the files that macOS adds, are allowed in addition to possible images. */
const ROWS_FOR_AN_ENTRY = 10
/** Deflate's longest match, 258 bytes, takes two bits at least. */
const DEFLATE_RATIO = 1_032

/**
 * Reads the central directory and classifies every entry. Nothing is unpacked, and no local header is read.
 * @param nameEncoding of names that do not say it
 * @throws ApiError `invalid_archive`, `archive_too_large` or `archive_has_no_images`, with the reason in its message; `invalid_params` for
 * names that are not in the encoding
 */
export async function inspectArchive(
  source: ArchiveSource,
  limits: ArchiveLimits,
  nameEncoding: NameEncoding = 'auto',
): Promise<readonly ArchiveEntry[]> {
  if (source.size > limits.archiveBytes) throw tooLarge(`it has more than ${megabytes(limits.archiveBytes)}`)
  const place = await findDirectory(source)
  if (place.entries > limits.entries * ROWS_FOR_AN_ENTRY) throw tooLarge(`it has ${place.entries} entries`)
  const rows = await readDirectory(source, place, nameEncoding)
  const ends = endsOf(rows, place.at)
  const entries = rows.map((row, index) => inspectEntry(row, index, ends[index] ?? 0))
  checkSums(
    entries.filter(({ kind }) => kind === 'file'),
    limits,
  )
  return entries
}

const tooLarge = (reason: string) =>
  new ApiError('archive_too_large', { message: `The archive exceeds the limits of a batch: ${reason}.` })

function inspectEntry(row: DirectoryRow, index: number, endsBefore: number): ArchiveEntry {
  const { name, bytes, compressedBytes, headerAt, method, crc32 } = row
  const segments = entryPath(name)
  const kind = skipReason(row, segments) ?? 'file'
  if (kind === 'file') checkFile(row)
  const packedEntry = { headerAt, endsBefore, method, crc32, rawName: row.rawName.toString('base64') }
  return { index, path: segments.join('/'), bytes, compressedBytes, kind, packed: packedEntry }
}

/** Checks an entry that will be unpacked. */
function checkFile({ name, flags, method, bytes, compressedBytes, encrypted }: DirectoryRow): void {
  ensure(!encrypted, `${quotePath(name)} is encrypted`)
  const isKnownMethod = (method === STORED || method === DEFLATED) && !isPatch(flags)
  ensure(
    isKnownMethod,
    `${quotePath(name)} is compressed by ${OTHER_METHODS[method] ?? `method ${method}`}; only Deflate is read`,
  )
  const possible = method === STORED ? bytes === compressedBytes : bytes <= compressedBytes * DEFLATE_RATIO
  ensure(possible, `${quotePath(name)} says that ${compressedBytes} bytes unpack to ${bytes}, which they cannot`)
}

/**
 * The position before which each entry's header and data must end: the start of the next. Local headers are not read here, so
 * an entry is assumed to be as short as possible; `readEntry` checks its end once its header is known. This rejects bombs of
 * entries that share their data.
 */
function endsOf(rows: readonly DirectoryRow[], directoryAt: number): readonly number[] {
  const order = rows.map((_, index) => index).sort((a, b) => (rows[a]?.headerAt ?? 0) - (rows[b]?.headerAt ?? 0))
  const ends = new Array<number>(rows.length).fill(0)
  for (const [nth, index] of order.entries()) {
    const row = rows[index]
    const next = rows[order[nth + 1] ?? -1]
    if (!row) continue
    const end = next?.headerAt ?? directoryAt
    const least = row.headerAt + LOCAL_HEADER.bytes + row.rawName.length + row.compressedBytes
    ensure(least <= end, `${quotePath(row.name)} overlaps ${next ? quotePath(next.name) : 'the directory'}`)
    ends[index] = end
  }
  return ends
}

function checkSums(files: readonly ArchiveEntry[], limits: ArchiveLimits): void {
  if (files.length === 0) throw new ApiError('archive_has_no_images')
  if (files.length > limits.entries) throw tooLarge(`it has ${files.length} files, and ${limits.entries} are allowed`)
  const bytes = files.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes > limits.unpackedBytes)
    throw tooLarge(`its files have ${megabytes(bytes)} unpacked, and ${megabytes(limits.unpackedBytes)} are allowed`)
}

/** Why an entry is not converted, from the directory alone. Whether a file is an image is decided by its first bytes. */
export type SkipReason = 'folder' | 'link' | 'device' | 'macos' | 'hidden' | 'system'

interface Candidate {
  readonly row: DirectoryRow
  readonly segments: readonly string[]
}

/** APPNOTE §4.4.2: systems for which the upper half of the attributes is a Unix mode. */
const UNIX_SYSTEMS: readonly number[] = [3, 19]
const FILE_TYPE = 0o170000
const TYPES = { unknown: 0, folder: 0o040000, file: 0o100000, link: 0o120000 } as const
const DOS_FOLDER = 0x10

const SYSTEM_FILES: readonly string[] = ['thumbs.db', 'desktop.ini', FOLDER_ICON.toLowerCase()]

const fileType = ({ system, attributes }: DirectoryRow) =>
  UNIX_SYSTEMS.includes(system) ? (attributes >>> 16) & FILE_TYPE : attributes & DOS_FOLDER ? TYPES.folder : TYPES.unknown

const rules: readonly (readonly [reason: SkipReason, applies: (candidate: Candidate) => boolean])[] = [
  ['folder', ({ row, segments }) => /[/\\]$/.test(row.name) || segments.length === 0 || fileType(row) === TYPES.folder],
  ['link', ({ row }) => fileType(row) === TYPES.link],
  ['device', ({ row }) => fileType(row) !== TYPES.unknown && fileType(row) !== TYPES.file],
  ['macos', ({ segments }) => segments[0] === '__MACOSX'],
  ['hidden', ({ segments }) => segments.some((segment) => segment.startsWith('.'))],
  ['system', ({ segments }) => SYSTEM_FILES.includes(segments.at(-1)?.toLowerCase() ?? '')],
]

/** The first reason that applies; undefined for a possible image. */
const skipReason = (row: DirectoryRow, segments: readonly string[]): SkipReason | undefined =>
  rules.find(([, applies]) => applies({ row, segments }))?.[0]

/** An entry, as described by the archive's directory. */
export interface ArchiveEntry {
  /** Its number in the directory, from 0. */
  readonly index: number
  /** With `/` between the segments; a safe path, but not unique. */
  readonly path: string
  /** Unpacked size as declared; enforced by `readEntry`. */
  readonly bytes: number
  readonly compressedBytes: number
  readonly kind: 'file' | SkipReason
  readonly packed: PackedData
}

/** The location and compression of an entry's data. Only numbers and text, so that it can be stored as JSON. */
export interface PackedData {
  /** The position of the local header, and of the next entry or the directory, before which header and data must end. */
  readonly headerAt: number
  readonly endsBefore: number
  /** Stored or deflated. */
  readonly method: number
  readonly crc32: number
  /** The name's bytes in Base64; the local header must have the same. */
  readonly rawName: string
}
