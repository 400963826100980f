/** The directory (IFD) of one picture of a TIFF or BigTIFF; fields are read on demand. */
export interface Directory {
  readonly littleEndian: boolean
  /** Values of a field of integers or fractions; empty when the field is missing. */
  numbers(tag: number): readonly number[]
  /** A field as bytes; undefined when it is missing. */
  bytes(tag: number): Buffer | undefined
  /** Whether a field is there whose values lie beyond the end of the file. */
  isCut(tag: number): boolean
  /** The directory of the next picture; undefined after the last. */
  next(): Directory | undefined
}

interface Field {
  readonly type: number
  readonly count: number
  /** Offset of its values in the file. */
  readonly at: number
}

/** Bytes of one value of each field type (TIFF 6.0, section 2; 16–18 by BigTIFF). */
const typeBytes: Readonly<Record<number, number>> = {
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

const RATIONAL = 5

/** The differences of TIFF and BigTIFF: the offset of the directory, and the sizes of its parts in bytes. */
const classic = { magic: 42, offsetAt: 4, word: 4, countBytes: 2, entryBytes: 12 } as const
const big = { magic: 43, offsetAt: 8, word: 8, countBytes: 8, entryBytes: 20 } as const

/** Real directories have fewer than a hundred fields. */
const MAX_FIELDS = 4_096

/**
 * The directory at an offset, else the first. Undefined when the file is cut or is no TIFF. A field that points beyond the
 * end of the file counts as missing.
 */
export function readDirectory(file: Buffer, offset?: number): Directory | undefined {
  const littleEndian = file.toString('latin1', 0, 2) === 'II'
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const uint = (at: number, bytes: number): number => {
    if (bytes === 1) return view.getUint8(at)
    if (bytes === 2) return view.getUint16(at, littleEndian)
    return bytes === 4 ? view.getUint32(at, littleEndian) : Number(view.getBigUint64(at, littleEndian))
  }
  if (file.length < 16) return undefined
  const kind = uint(2, 2) === big.magic ? big : classic
  const start = offset ?? uint(kind.offsetAt, kind.word)
  if (start + kind.countBytes > file.length) return undefined
  const count = uint(start, kind.countBytes)
  if (count > MAX_FIELDS || start + kind.countBytes + count * kind.entryBytes > file.length) return undefined

  const end = start + kind.countBytes + count * kind.entryBytes
  const fields = new Map<number, Field>()
  const cut = new Set<number>()
  for (let index = 0; index < count; index++) {
    const entry = start + kind.countBytes + index * kind.entryBytes
    const type = uint(entry + 2, 2)
    const values = uint(entry + 4, kind.word)
    const bytes = values * (typeBytes[type] ?? Number.NaN)
    const inline = entry + 4 + kind.word
    const at = bytes <= kind.word ? inline : uint(inline, kind.word)
    const tag = uint(entry, 2)
    if (at + bytes <= file.length) fields.set(tag, { type, count: values, at })
    else if (bytes > 0) cut.add(tag)
  }
  return {
    littleEndian,
    numbers(tag) {
      const { type, count, at } = fields.get(tag) ?? { type: 1, count: 0, at: 0 }
      const bytes = typeBytes[type] ?? 1
      const value = (place: number) => (type === RATIONAL ? uint(place, 4) / uint(place + 4, 4) : uint(place, bytes))
      return Array.from({ length: count }, (_, index) => value(at + index * bytes))
    },
    bytes(tag) {
      const field = fields.get(tag)
      return field && file.subarray(field.at, field.at + field.count * (typeBytes[field.type] ?? 1))
    },
    isCut: (tag) => cut.has(tag),
    next() {
      const following = end + kind.word <= file.length ? uint(end, kind.word) : 0
      return following === 0 ? undefined : readDirectory(file, following)
    },
  }
}
