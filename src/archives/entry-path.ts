import { ensure, quoted } from './invalid-archive.ts'

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
