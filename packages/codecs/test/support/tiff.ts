/** Writes uncompressed TIFFs of any layout, which no encoder here would write. */

const SHORT = 3
const LONG = 4
const RATIONAL = 5

export interface Fields {
  readonly [tag: number]: readonly number[]
}

/** The fields that every picture needs, with `bits` for each of `samples`. */
export const baseline = (width: number, height: number, samples: number, bits: number): Fields => ({
  256: [width],
  257: [height],
  258: new Array<number>(samples).fill(bits),
  259: [1],
  262: [samples < 3 ? 1 : 2],
  277: [samples],
  278: [height],
})

interface Form {
  readonly bigEndian?: boolean
  /** Fields of fractions: numerator and denominator. */
  readonly rationals?: Readonly<Record<number, readonly (readonly [number, number])[]>>
}

/** A TIFF or BigTIFF with one directory before its strips or tiles; offsets and lengths are filled in. */
export function tiffOf(
  fields: Fields,
  chunks: readonly Uint8Array[],
  big = false,
  { bigEndian = false, rationals = {} }: Form = {},
): Buffer {
  const isTiled = 322 in fields
  const whole = {
    ...fields,
    [isTiled ? 324 : 273]: chunks.map(() => 0),
    [isTiled ? 325 : 279]: chunks.map(({ length }) => length),
  }
  const entries: Readonly<Record<number, readonly number[]>> = {
    ...whole,
    ...Object.fromEntries(Object.entries(rationals).map(([tag, values]) => [tag, values.flat()])),
  }
  const tags = Object.keys(entries).map(Number)
  const [word, entryBytes, start] = big ? [8, 20, 16] : [4, 12, 8]
  const outside = Object.values(entries).reduce((sum, values) => sum + values.length * 4 + 2, 0)
  const file = Buffer.alloc(start + (big ? 8 : 2) + tags.length * entryBytes + word + outside)
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  const put16 = (at: number, value: number) => view.setUint16(at, value, !bigEndian)
  const put32 = (at: number, value: number) => view.setUint32(at, value, !bigEndian)
  const putCount = (at: number, value: number) => put32(bigEndian && big ? at + 4 : at, value)
  file.write(bigEndian ? 'MM' : 'II')
  put16(2, big ? 43 : 42)
  if (big) put16(4, 8)
  putCount(big ? 8 : 4, start)
  put16(big && bigEndian ? start + 6 : start, tags.length)
  let free = start + (big ? 8 : 2) + tags.length * entryBytes + word
  let pixelsAt = file.length
  for (const [index, tag] of tags.entries()) {
    const values = (entries[tag] ?? []).map((value) => (tag === 273 || tag === 324 ? -1 : value))
    const isRational = tag in rationals
    const type = isRational || values.some((value) => value > 65_535 || value < 0) ? LONG : SHORT
    const bytes = values.length * (type === LONG ? 4 : 2)
    const entry = start + (big ? 8 : 2) + index * entryBytes
    put16(entry, tag)
    put16(entry + 2, isRational ? RATIONAL : type)
    putCount(entry + 4, isRational ? values.length / 2 : values.length)
    let at = entry + 4 + word
    if (bytes > word) {
      putCount(at, free)
      at = free
      free += bytes + (bytes & 1)
    }
    for (const [place, value] of values.entries()) {
      if (type === SHORT) put16(at + place * 2, value)
      else put32(at + place * 4, value < 0 ? pixelsAt : value)
      if (value < 0) pixelsAt += chunks[place]?.length ?? 0
    }
  }
  return Buffer.concat([file, ...chunks])
}

/** Numbers of `bits` each, highest bit first, as one row of a TIFF. */
export function packBits(values: readonly number[], bits: number): Uint8Array {
  const text = values.map((value) => value.toString(2).padStart(bits, '0')).join('')
  return Uint8Array.from(text.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}
