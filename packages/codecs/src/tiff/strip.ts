/**
 * Fields that say how pixels are stored and look: TIFF 6.0 and its supplements, JPEG in TIFF, fax, profiles, floating samples, LERC, the
 * planes of DNG. Others describe, or are unknown and may say anything, such as GeoTIFF's the place.
 */
const NEEDED: readonly (readonly [first: number, last: number])[] = [
  ...([
    [254, 259],
    [262, 266],
    [273, 274],
    [277, 284],
    [288, 293],
    [296, 297],
    [301, 301],
    [317, 328],
    [330, 347],
    [400, 559],
  ] as const),
  ...([
    [32_995, 32_998],
    [33_421, 33_422],
    [34_675, 34_675],
    [34_908, 34_910],
    [37_439, 37_439],
    [50_674, 50_734],
    [50_736, 50_739],
    [50_741, 50_826],
    [50_829, 52_544],
  ] as const),
]
const isMetadata = (tag: number): boolean => !NEEDED.some(([first, last]) => tag >= first && tag <= last)
/** Those of EXIF, of GPS and of interoperability. */
const DIRECTORIES = new Set([34_665, 34_853, 40_965])
const SUB_IMAGES = 330
/** Offsets and lengths of pixel data: strips, tiles, old-style JPEG. */
const PLACES: readonly (readonly [offsets: number, lengths: number])[] = [
  [273, 279],
  [324, 325],
  [513, 514],
]

/** Bytes of one value of each field type (TIFF 6.0, section 2; 16–18 by BigTIFF). */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
}
const MOST_DIRECTORIES = 2_000
const MOST_ENTRIES = 4_096

interface Range {
  readonly start: number
  readonly end: number
}

interface Entry extends Range {
  readonly tag: number
  readonly values: readonly number[]
  /** The range of its values, when they are not in the entry itself. */
  readonly outside: Range | undefined
}

interface Directory extends Range {
  readonly entries: readonly Entry[]
  readonly next: number
}

/**
 * A TIFF without metadata, in every page. Removed values are overwritten with zeros, so that
 * no other offset changes. A damaged file is returned unchanged.
 */
export const stripTiff = (bytes: Buffer): Buffer => withoutFields(bytes, isMetadata)

/** The same without other fields. */
export function withoutFields(bytes: Buffer, isGone: (tag: number) => boolean): Buffer {
  try {
    return withoutThese(bytes, isGone)
  } catch (error) {
    // Damage: a number that lies outside the file.
    if (error instanceof RangeError) return bytes
    throw error
  }
}

function withoutThese(bytes: Buffer, isGone: (tag: number) => boolean): Buffer {
  const form = formOf(bytes)
  const pages = directoriesFrom(bytes, form, [form.first])
  const droppedEntries = pages.flatMap(({ entries }) => entries.filter(({ tag }) => isGone(tag)))
  if (droppedEntries.length === 0) return bytes
  const places = droppedEntries.filter(({ tag }) => DIRECTORIES.has(tag)).flatMap(({ values }) => values)
  const describedAt = directoriesFrom(bytes, form, places)
  const goneRanges = [
    ...droppedEntries.flatMap(({ outside }) => outside ?? []),
    ...describedAt.flatMap(({ start, end, entries }) => [{ start, end }, ...entries.flatMap(({ outside }) => outside ?? [])]),
  ]
  const keptRanges = pages.flatMap((page) => [
    page,
    ...page.entries.flatMap(({ tag, outside }) => (isGone(tag) || !outside ? [] : [outside])),
    ...pixelsOf(page, bytes.length),
  ])
  const copy = Buffer.from(bytes)
  for (const { start, end } of goneRanges)
    if (!keptRanges.some((one) => one.start < end && start < one.end)) copy.fill(0, start, end)
  for (const page of pages) rewrite(copy, bytes, form, page, isGone)
  return copy
}

/** Where the two kinds of the format differ (TIFF 6.0, section 2; BigTIFF). */
interface Form {
  readonly first: number
  readonly word: number
  readonly countBytes: number
  readonly entryBytes: number
  read(at: number, bytes: number): number
  write(copy: Buffer, at: number, bytes: number, value: number): void
}

function formOf(bytes: Buffer): Form {
  const isLittle = bytes.toString('latin1', 0, 2) === 'II'
  const read = (at: number, size: number): number => {
    if (size === 8) return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at))
    return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size)
  }
  const write = (copy: Buffer, at: number, size: number, value: number): void => {
    if (size === 8) isLittle ? copy.writeBigUInt64LE(BigInt(value), at) : copy.writeBigUInt64BE(BigInt(value), at)
    else isLittle ? copy.writeUIntLE(value, at, size) : copy.writeUIntBE(value, at, size)
  }
  return read(2, 2) === 43
    ? { first: read(8, 8), word: 8, countBytes: 8, entryBytes: 20, read, write }
    : { first: read(4, 4), word: 4, countBytes: 2, entryBytes: 12, read, write }
}

/** Directories, those that follow them, and their sub-images'; each once. */
function directoriesFrom(bytes: Buffer, form: Form, starts: readonly number[]): readonly Directory[] {
  const directories = new Map<number, Directory>()
  const waiting = [...starts]
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    if (start === 0 || directories.has(start) || directories.size >= MOST_DIRECTORIES) continue
    const directory = directoryAt(bytes, form, start)
    directories.set(start, directory)
    const inside = directory.entries.filter(({ tag }) => tag === SUB_IMAGES).flatMap(({ values }) => values)
    waiting.push(directory.next, ...inside)
  }
  return [...directories.values()]
}

function directoryAt(bytes: Buffer, { word, countBytes, entryBytes, read }: Form, start: number): Directory {
  const count = read(start, countBytes)
  if (count > MOST_ENTRIES) throw new RangeError('a directory of nonsense')
  const end = start + countBytes + count * entryBytes
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const at = start + countBytes + index * entryBytes
    const type = read(at + 2, 2)
    const values = read(at + 4, word)
    const size = TYPE_BYTES[type] ?? 1
    const isInside = values * size <= word
    const place = isInside ? at + 4 + word : read(at + 4 + word, word)
    if (place + values * size > bytes.length) throw new RangeError('a field beyond the end of the file')
    const tag = read(at, 2)
    const isNeeded = tag === SUB_IMAGES || DIRECTORIES.has(tag) || PLACES.some((pair) => pair.includes(tag))
    const list = isNeeded && size <= 8 ? Array.from({ length: values }, (_, value) => read(place + value * size, size)) : []
    const outside = isInside ? undefined : { start: place, end: place + values * size }
    return { tag, values: list, outside, start: at, end: at + entryBytes }
  })
  return { start, end: end + word, entries, next: read(end, word) }
}

function pixelsOf({ entries }: Directory, fileBytes: number): readonly Range[] {
  const numbers = (asTag: number) => entries.find(({ tag }) => tag === asTag)?.values ?? []
  return PLACES.flatMap(([offsets, lengths]) => {
    const sizes = numbers(lengths)
    return numbers(offsets).map((start, index) => ({ start, end: start + (sizes[index] ?? fileBytes - start) }))
  })
}

/** Closes the gaps in a directory and clears the rest. */
function rewrite(
  copy: Buffer,
  bytes: Buffer,
  { word, countBytes, write }: Form,
  { start, end, entries, next }: Directory,
  isGone: (tag: number) => boolean,
): void {
  const keptEntries = entries.filter(({ tag }) => !isGone(tag))
  if (keptEntries.length === entries.length) return
  write(copy, start, countBytes, keptEntries.length)
  let at = start + countBytes
  for (const entry of keptEntries) at += bytes.copy(copy, at, entry.start, entry.end)
  write(copy, at, word, next)
  copy.fill(0, at + word, end)
}
