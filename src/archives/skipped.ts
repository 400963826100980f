import type { DirectoryRow } from './directory.ts'
import { FOLDER_ICON } from './entry-path.ts'

/** Why an entry is no file to convert, by what the directory says of it. Whether a file is an image, its first bytes say. */
export type SkipReason = 'folder' | 'link' | 'device' | 'macos' | 'hidden' | 'system'

interface Candidate {
  readonly row: DirectoryRow
  readonly segments: readonly string[]
}

/** APPNOTE §4.4.2: on these, the upper half of the attributes is a mode of Unix. */
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

/** The first reason that applies; undefined for a file that may be an image. */
export const skipReason = (row: DirectoryRow, segments: readonly string[]): SkipReason | undefined =>
  rules.find(([, applies]) => applies({ row, segments }))?.[0]
