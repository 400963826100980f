import { ensure, quoted } from './errors.ts'

/** What file systems take: ext4, APFS and NTFS 255 of a name; and far less than their 4,096 of a path, as it grows. */
const LONGEST_SEGMENT_BYTES = 255
export const LONGEST_PATH_BYTES = 1_024

/** macOS keeps a folder's icon in a file of this name, carriage return included. */
export const FOLDER_ICON = 'Icon\r'

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const CONTROL = /[\0-\x1f\x7f-\x9f]/

/** From the root of a file system or of a Windows drive. `a:b.png` is a name that Linux and macOS allow: results replace the colon. */
const ABSOLUTE = /^(\/|[a-z]:(\/|$))/i
/** The folder above; also that of a Windows drive, as in `C:../a.png`. */
const PARENT = /^([a-z]:)?\.\.$/i

/**
 * An entry's path as segments. Backslashes separate as well: old Windows programs wrote them, and on Windows they do.
 * What else Windows takes in no name is kept here: `safeName` replaces it in the result's name.
 * @throws ApiError `invalid_archive` for a path that leads out of a folder it is unpacked into, or that none should have
 */
export function entryPath(name: string): readonly string[] {
  const path = name.replaceAll('\\', '/')
  ensure(!ABSOLUTE.test(path), `the path ${quoted(name)} is absolute`)
  // A path of code page 437 is up to three times as long in UTF-8.
  ensure(Buffer.byteLength(path) <= LONGEST_PATH_BYTES, `the path ${quoted(name)} has more than 1,024 bytes`)
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  for (const segment of segments) {
    ensure(!PARENT.test(segment), `the path ${quoted(name)} leads out of the archive`)
    ensure(segment === FOLDER_ICON || !CONTROL.test(segment), `the path ${quoted(name)} has control characters`)
    ensure(Buffer.byteLength(segment) <= LONGEST_SEGMENT_BYTES, `the path ${quoted(name)} has a name of more than 255 bytes`)
  }
  return segments
}

/** What Windows takes in no name; and the marks that turn the direction of a text, so that it reads otherwise than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const FORBIDDEN = /[<>:"|?*\\/\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Device names of Windows, with any extension behind them. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i

/** Bytes of a name without its extension: 255 less what `-1000` and the longest extension take. */
const LONGEST_NAME_BYTES = 240

/**
 * A name that Windows, macOS and Linux all take, and show alike: in Unicode's form C, at most 240 bytes long, never empty,
 * `.` or `..`.
 */
export function safeName(name: string): string {
  const clean = shortened(name.normalize('NFC').replace(FORBIDDEN, '_')).replace(/[. ]+$/, '')
  if (clean === '') return '_'
  return DEVICE.test(clean) ? `_${clean}` : clean
}

/** Cut between two characters. */
function shortened(name: string): string {
  let [bytes, end] = [0, 0]
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > LONGEST_NAME_BYTES) return name.slice(0, end)
    end += character.length
  }
  return name
}

/**
 * Where each file's result goes: in the same folder, by the same name, with the extension given. Names are made safe, and
 * unique in the eyes of Windows and macOS, by `-2`, `-3` before the extension; the first of those that are equal keeps its own.
 * `taken` are paths of other files in the root of the archive.
 */
export function resultPaths(paths: readonly string[], extension: string, taken: readonly string[] = []): readonly string[] {
  const reserved = new Set(taken.map(folded))
  const wanted = paths.map((path) => withoutExtension(path, reserved))
  const used = new Set([...reserved, ...wanted.flatMap(foldersAbove)])
  const results = wanted.map((stem) => claim(used, `${stem}.${extension}`))
  const next = new Map<string, number>()
  return results.map((result, nth) => result ?? numbered(used, wanted[nth] ?? '', extension, next))
}

function withoutExtension(path: string, reserved: ReadonlySet<string>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const file = segments.pop() ?? ''
  const [top, ...folders] = segments.map(safeName)
  const root = top !== undefined && reserved.has(folded(top)) ? `_${top}` : top
  return [...(root === undefined ? [] : [root]), ...folders, safeName(file.replace(/(?<=.)\.[^.]*$/s, ''))].join('/')
}

/** No file may have the name of a folder either. */
function foldersAbove(path: string): readonly string[] {
  const segments = folded(path).split('/').slice(0, -1)
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/'))
}

/** Names with the same key are one on Windows or macOS: case does not count there, nor how accents are composed. */
const folded = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

function claim(used: Set<string>, path: string): string | undefined {
  const key = folded(path)
  if (used.has(key)) return undefined
  used.add(key)
  return path
}

/** The first number from 2 on that is free; `next` remembers where to go on, so that a thousand equal names are no million tries. */
function numbered(used: Set<string>, stem: string, extension: string, next: Map<string, number>): string {
  const key = folded(stem)
  for (let number = next.get(key) ?? 2; ; number++) {
    const path = claim(used, `${stem}-${number}.${extension}`)
    if (path === undefined) continue
    next.set(key, number + 1)
    return path
  }
}
