import { crc32Of } from './crc32.ts'
import { blobOf, type FileInput } from './files.ts'

/** Files by their paths, with `/` between folders. */
export type Files = Readonly<Record<string, FileInput>>

/** A file as `writeZip` takes it. */
export interface ZippedFile {
  /** The path, with `/` between its segments. */
  readonly path: string
  readonly file: Blob
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/**
 * Builds a ZIP of uncompressed files, since pictures are compressed already. Its parts are the files themselves, so that it takes
 * no memory; the same files give the same bytes. Up to 4 GB and 65,535 files.
 * @param onread called with the number of bytes read so far, for the checksums
 * @throws AbortError; what the browser throws when it cannot read a file
 */
export async function writeZip(
  files: readonly ZippedFile[],
  { onread, signal }: { readonly onread?: (bytes: number) => void; readonly signal?: AbortSignal } = {},
): Promise<Blob> {
  const parts: Part[] = []
  const rows: Part[] = []
  let at = 0
  let rowBytes = 0
  let read = 0
  for (const { path, file, modifiedAt } of files) {
    signal?.throwIfAborted()
    const name = encoder.encode(path)
    const [time, date] = dosTime(modifiedAt)
    const sums = [
      [4, await crc32Of(file)],
      [4, file.size],
      [4, file.size],
      [2, name.length],
      [2, 0],
    ] as const
    const middle = [[2, FLAGS], [2, 0], [2, time], [2, date], ...sums] as const
    parts.push(numbers([4, 0x04034b50], [2, VERSION], ...middle), name, file)
    const tail = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, ATTRIBUTES],
      [4, at],
    ] as const
    rows.push(numbers([4, 0x02014b50], [2, MADE_BY], [2, VERSION], ...middle, ...tail), name)
    at += LOCAL_BYTES + name.length + file.size
    rowBytes += ROW_BYTES + name.length
    read += file.size
    onread?.(read)
  }
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, rowBytes], [4, at], [2, 0])
  return new Blob([...parts, ...rows, end], { type: 'application/zip' })
}

/** Bytes of the ZIP of such files. */
export const zipBytes = (files: readonly { readonly path: string; readonly bytes: number }[]): number =>
  files.reduce((sum, { path, bytes }) => sum + LOCAL_BYTES + ROW_BYTES + 2 * nameBytes(path) + bytes, END_BYTES)

/** Files with the times of their last changes, where those are known. @returns what `writeZip` takes */
export const zippedFiles = (files: Files): Promise<readonly ZippedFile[]> =>
  Promise.all(
    Object.entries(files).map(async ([path, input]) => {
      const file = await blobOf(input)
      return { path, file, modifiedAt: 'lastModified' in file ? Number(file.lastModified) : 0 }
    }),
  )

/** APPNOTE 6.3.10, §4.3: a local header, a row of the directory, the end record; each without names. */
const LOCAL_BYTES = 30
const ROW_BYTES = 46
const END_BYTES = 22
const VERSION = 20
/** The name is UTF-8. */
const FLAGS = 0x800
/** The version, with "made by" Unix in the upper byte: a regular file, 0644. */
const MADE_BY = (3 << 8) | VERSION
const ATTRIBUTES = 0o100644 * 2 ** 16

type Part = Blob | Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const nameBytes = (path: string): number => encoder.encode(path).length

/** Numbers of 2 or 4 bytes, little-endian, concatenated. */
function numbers(...pairs: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(pairs.reduce((sum, [bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [bytes, value] of pairs) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

/** §4.4.6: the years from 1980 to 2107, in steps of two seconds. */
function dosTime(at: number): readonly [time: number, date: number] {
  const moment = new Date(at)
  const year = Math.min(2107, moment.getUTCFullYear())
  if (!(year >= 1980)) return [0, (1 << 5) | 1]
  return [
    (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  ]
}
