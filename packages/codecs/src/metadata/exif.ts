/** One field of a directory. Its bytes are in the order of the structure. */
export interface ExifField {
  readonly tag: number
  readonly type: number
  readonly count: number
  readonly data: Buffer
}

/** The directories of an EXIF block (CIPA DC-008, 4.6) whose fields are kept. */
export interface Exif {
  readonly littleEndian: boolean
  /** Of the picture: camera, artist, time. */
  readonly image: readonly ExifField[]
  /** Of the photograph: exposure, lens. */
  readonly photo: readonly ExifField[]
  readonly place: readonly ExifField[]
}

/** Bytes of a value by type (TIFF 6.0, section 2); 13 is IFD, 129 UTF-8 (EXIF 3.0). */
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
  129: 1,
}
const ENTRY_BYTES = 12
const INLINE_BYTES = 4
const SHORT = 3
const LONG = 4
/** Cameras write up to 60 fields into a directory. */
const MOST_FIELDS = 1_000

/** Fields that point to other directories. */
const pointers = { photo: 0x8769, place: 0x8825, interoperability: 0xa005 } as const

/** Reads the fields of a TIFF structure; undefined where it is none. Fields that lie outside of it are left out. */
export function parseExif(tiff: Buffer): Exif | undefined {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const littleEndian = order === 'II'
  const image = directoryAt(tiff, littleEndian, uint(tiff, littleEndian, 4, 4))
  const inside = (pointer: number): readonly ExifField[] => {
    const field = image.find(({ tag }) => tag === pointer)
    return field?.data.length === INLINE_BYTES ? directoryAt(tiff, littleEndian, uint(field.data, littleEndian, 0, 4)) : []
  }
  const isPointer = ({ tag }: ExifField) => Object.values<number>(pointers).includes(tag)
  return {
    littleEndian,
    image: image.filter((field) => !isPointer(field)),
    photo: inside(pointers.photo).filter((field) => !isPointer(field)),
    place: inside(pointers.place),
  }
}

function directoryAt(tiff: Buffer, littleEndian: boolean, at: number): readonly ExifField[] {
  if (at < 8 || at + 2 > tiff.length) return []
  const count = Math.min(uint(tiff, littleEndian, at, 2), MOST_FIELDS)
  const fields: ExifField[] = []
  let budget = tiff.length
  for (let entry = at + 2; entry + ENTRY_BYTES <= tiff.length && entry < at + 2 + count * ENTRY_BYTES; entry += ENTRY_BYTES) {
    const tag = uint(tiff, littleEndian, entry, 2)
    const type = uint(tiff, littleEndian, entry + 2, 2)
    const values = uint(tiff, littleEndian, entry + 4, 4)
    const bytes = values * (TYPE_BYTES[type] ?? 0)
    const start = bytes <= INLINE_BYTES ? entry + 8 : uint(tiff, littleEndian, entry + 8, 4)
    // Fields that share their bytes would make the copy larger than the block.
    budget -= bytes
    if (bytes === 0 || start + bytes > tiff.length || budget < 0) continue
    fields.push({ tag, type, count: values, data: tiff.subarray(start, start + bytes) })
  }
  return fields
}

const uint = (bytes: Buffer, littleEndian: boolean, at: number, length: number): number =>
  littleEndian ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length)

const HEADER_BYTES = 8

/** A TIFF structure of these fields; undefined if there are none. */
export function serialiseExif(exif: Exif): Buffer | undefined {
  const { littleEndian, image, photo, place } = exif
  if (image.length + photo.length + place.length === 0) return undefined
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(littleEndian ? 'II' : 'MM', 'latin1')
  put(header, littleEndian, 2, 2, 42)
  put(header, littleEndian, 4, 4, HEADER_BYTES)
  return Buffer.concat([header, serialiseDirectories(exif, HEADER_BYTES, 0)])
}

/**
 * The directory of the picture, then those of photograph and place.
 * @param start where it will be in the structure
 * @param next the position of the directory that follows that of the picture; 0 where none does
 */
export function serialiseDirectories({ littleEndian, image, photo, place }: Exif, start: number, next: number): Buffer {
  const others = [
    { tag: pointers.photo, fields: photo },
    { tag: pointers.place, fields: place },
  ].filter(({ fields }) => fields.length > 0)
  const pointing = others.map(({ tag }): ExifField => ({ tag, type: LONG, count: 1, data: Buffer.alloc(INLINE_BYTES) }))
  const main = [...image, ...pointing].toSorted((one, other) => one.tag - other.tag)
  let end = start + directoryBytes(main)
  for (const [index, { fields }] of others.entries()) {
    put(pointing[index]?.data ?? Buffer.alloc(INLINE_BYTES), littleEndian, 0, 4, end)
    end += directoryBytes(fields)
  }
  const bytes = Buffer.alloc(end - start)
  let at = writeDirectory(bytes, littleEndian, start, 0, main, next)
  for (const { fields } of others) at = writeDirectory(bytes, littleEndian, start, at, fields, 0)
  return bytes
}

/** Values longer than four bytes follow their directory, each at an even position. */
const outsideBytes = ({ data }: ExifField): number => (data.length <= INLINE_BYTES ? 0 : data.length + (data.length & 1))
const directoryBytes = (fields: readonly ExifField[]): number =>
  2 + fields.length * ENTRY_BYTES + 4 + fields.reduce((sum, field) => sum + outsideBytes(field), 0)

/** Writes a directory at a position in bytes that begin at `start`; returns the position behind it. */
function writeDirectory(
  tiff: Buffer,
  littleEndian: boolean,
  start: number,
  at: number,
  fields: readonly ExifField[],
  next: number,
): number {
  put(tiff, littleEndian, at, 2, fields.length)
  let free = at + 2 + fields.length * ENTRY_BYTES + 4
  put(tiff, littleEndian, free - 4, 4, next)
  for (const [index, field] of fields.entries()) {
    const entry = at + 2 + index * ENTRY_BYTES
    put(tiff, littleEndian, entry, 2, field.tag)
    put(tiff, littleEndian, entry + 2, 2, field.type)
    put(tiff, littleEndian, entry + 4, 4, field.count)
    const isInline = field.data.length <= INLINE_BYTES
    tiff.set(field.data, isInline ? entry + 8 : free)
    if (!isInline) put(tiff, littleEndian, entry + 8, 4, start + free)
    free += outsideBytes(field)
  }
  return free
}

function put(bytes: Buffer, littleEndian: boolean, at: number, length: number, value: number): void {
  if (littleEndian) bytes.writeUIntLE(value, at, length)
  else bytes.writeUIntBE(value, at, length)
}

/** An unsigned number of 16 bits as a field. */
export function shortField(littleEndian: boolean, tag: number, value: number): ExifField {
  const data = Buffer.alloc(2)
  put(data, littleEndian, 0, 2, value)
  return { tag, type: SHORT, count: 1, data }
}

const RATIONAL = 5
const THOUSANDTHS = 1_000

/** A fraction as a field, exact to a thousandth. */
export function rationalField(littleEndian: boolean, tag: number, value: number): ExifField {
  const data = Buffer.alloc(8)
  const isWhole = Math.abs(value - Math.round(value)) * THOUSANDTHS < 0.5
  put(data, littleEndian, 0, 4, Math.round(isWhole ? value : value * THOUSANDTHS))
  put(data, littleEndian, 4, 4, isWhole ? 1 : THOUSANDTHS)
  return { tag, type: RATIONAL, count: 1, data }
}

/** The numbers of a field: whole, rational or floating; none of a text. */
export function numbersOf({ type, data }: ExifField, littleEndian: boolean): readonly number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  const each = (bytes: number, value: (at: number) => number): readonly number[] =>
    Array.from({ length: Math.floor(data.length / bytes) }, (_, index) => value(index * bytes))
  const ratio = (read: (at: number) => number) => (at: number) => read(at) / read(at + 4)
  const readers: Readonly<Record<number, () => readonly number[]>> = {
    1: () => each(1, (at) => view.getUint8(at)),
    3: () => each(2, (at) => view.getUint16(at, littleEndian)),
    4: () => each(4, (at) => view.getUint32(at, littleEndian)),
    5: () =>
      each(
        8,
        ratio((at) => view.getUint32(at, littleEndian)),
      ),
    8: () => each(2, (at) => view.getInt16(at, littleEndian)),
    9: () => each(4, (at) => view.getInt32(at, littleEndian)),
    10: () =>
      each(
        8,
        ratio((at) => view.getInt32(at, littleEndian)),
      ),
    11: () => each(4, (at) => view.getFloat32(at, littleEndian)),
    12: () => each(8, (at) => view.getFloat64(at, littleEndian)),
  }
  return readers[type]?.() ?? []
}

const TEXTS: readonly number[] = [2, 129]

/** The text of a field; undefined of a number. Of two parts, as Copyright may have, the first. */
export function textOf({ type, data }: ExifField): string | undefined {
  if (!TEXTS.includes(type)) return undefined
  const text = data.toString('utf8').replace(/\0.*$/s, '').trim()
  return text === '' ? undefined : text
}
