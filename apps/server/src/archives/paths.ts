import { ensure, quotePath } from './errors.ts'

/** Limits of file systems: ext4, APFS and NTFS allow 255 for a name; for a path far less than their 4,096, since unpacking adds to it. */
const LONGEST_SEGMENT_BYTES = 255
export const LONGEST_PATH_BYTES = 1_024

/** macOS stores a folder's icon in a file of this name, carriage return included. */
export const FOLDER_ICON = 'Icon\r'

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const CONTROL = /[\0-\x1f\x7f-\x9f]/

/** From the root of a file system or Windows drive. `a:b.png` is valid on Linux and macOS; results replace the colon. */
const ABSOLUTE = /^(\/|[a-z]:(\/|$))/i
/** The parent folder; also of a Windows drive, as in `C:../a.png`. */
const PARENT = /^([a-z]:)?\.\.$/i

/**
 * Splits an entry's path into segments, at backslashes too, which old Windows programs wrote.
 * Other characters that Windows forbids are kept here; `safeName` replaces them in the result's name.
 * @throws ApiError `invalid_archive` for a path that leads out of the target folder or has control characters
 */
export function entryPath(name: string): readonly string[] {
  const path = name.replaceAll('\\', '/')
  ensure(!ABSOLUTE.test(path), `the path ${quotePath(name)} is absolute`)
  // A path in code page 437 is up to three times as long in UTF-8.
  ensure(Buffer.byteLength(path) <= LONGEST_PATH_BYTES, `the path ${quotePath(name)} has more than 1,024 bytes`)
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  for (const segment of segments) {
    ensure(!PARENT.test(segment), `the path ${quotePath(name)} leads out of the archive`)
    ensure(segment === FOLDER_ICON || !CONTROL.test(segment), `the path ${quotePath(name)} has control characters`)
    ensure(Buffer.byteLength(segment) <= LONGEST_SEGMENT_BYTES, `the path ${quotePath(name)} has a name of more than 255 bytes`)
  }
  return segments
}

/** Characters that Windows forbids in names, and bidirectional marks, which can disguise a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const FORBIDDEN = /[<>:"|?*\\/\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i

/** Bytes of a name without its extension: 255 less what `-1000` and the longest extension take. */
const LONGEST_NAME_BYTES = 240

/**
 * A name that Windows, macOS and Linux all accept and show alike: in Unicode form C, at most 240 bytes, never empty,
 * `.` or `..`.
 */
export function safeName(name: string): string {
  const clean = shortenName(name.normalize('NFC').replace(FORBIDDEN, '_')).replace(/[. ]+$/, '')
  if (clean === '') return '_'
  return DEVICE.test(clean) ? `_${clean}` : clean
}

/** Truncates between two characters. */
function shortenName(name: string): string {
  let bytes = 0
  let end = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > LONGEST_NAME_BYTES) return name.slice(0, end)
    end += character.length
  }
  return name
}

/** A file of a result: the path of its source, what is added to the name, and its own extension. */
export interface ResultFile {
  readonly path: string
  /** Such as `-thumb`. */
  readonly suffix?: string
  readonly extension: string
}

/**
 * The path of each result: the folder and name of its source, with the suffix and the extension. Names are made safe, and
 * unique for Windows and macOS, by `-2`, `-3` before the extension; the first of equal names keeps its name.
 * `taken` are paths of other files in the root of the archive.
 */
export function resultPaths(files: readonly ResultFile[], takenPaths: readonly string[] = []): readonly string[] {
  const reservedPaths = new Set(takenPaths.map(foldCase))
  const plannedPaths = files.map(({ path, suffix = '', extension }) => ({
    stem: `${withoutExtension(path, reservedPaths)}${suffix}`,
    extension,
  }))
  const usedPaths = new Set([...reservedPaths, ...plannedPaths.flatMap(({ stem }) => foldersAbove(stem))])
  const results = plannedPaths.map(({ stem, extension }) => claim(usedPaths, `${stem}.${extension}`))
  const next = new Map<string, number>()
  return plannedPaths.map(({ stem, extension }, nth) => results[nth] ?? numberedPath(usedPaths, stem, extension, next))
}

function withoutExtension(path: string, reservedPaths: ReadonlySet<string>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const file = segments.pop() ?? ''
  const [top, ...folders] = segments.map(safeName)
  const root = top !== undefined && reservedPaths.has(foldCase(top)) ? `_${top}` : top
  return [...(root === undefined ? [] : [root]), ...folders, safeName(file.replace(/(?<=.)\.[^.]*$/s, ''))].join('/')
}

/** The folders of a path: no file may have the name of a folder. */
function foldersAbove(path: string): readonly string[] {
  const segments = foldCase(path).split('/').slice(0, -1)
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'))
}

/** A key that is equal for names that Windows or macOS treat as equal: they ignore case and the composition of accents. */
const foldCase = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

function claim(usedPaths: Set<string>, path: string): string | undefined {
  const key = foldCase(path)
  if (usedPaths.has(key)) return undefined
  usedPaths.add(key)
  return path
}

/** The path with the first free number from 2 on; `next` has the next number for each stem, so that equal names take linear time. */
function numberedPath(usedPaths: Set<string>, stem: string, extension: string, next: Map<string, number>): string {
  const key = foldCase(`${stem}.${extension}`)
  for (let number = next.get(key) ?? 2; ; number++) {
    const path = claim(usedPaths, `${stem}-${number}.${extension}`)
    if (path === undefined) continue
    next.set(key, number + 1)
    return path
  }
}
