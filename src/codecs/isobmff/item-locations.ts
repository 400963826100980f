/** Where an item's bytes lie (ISO/IEC 14496-12, 8.11.3). */
export interface ItemLocation {
  readonly id: number
  /** 0: offsets into the file; 1: into the `idat` box; 2: into another item. */
  readonly construction: number
  readonly extents: readonly Extent[]
  /** The entry as it stands in the box. */
  readonly entry: Buffer
}

export interface Extent {
  readonly offset: number
  readonly length: number
  /** Where in the entry the offset is written, what is added to it there, and how many bytes it has. */
  readonly field: { readonly at: number; readonly base: number; readonly bytes: number }
}

export interface ItemLocations {
  /** What stands in the box before its first entry; the count of entries is its end. */
  readonly head: Buffer
  readonly countBytes: number
  readonly items: readonly ItemLocation[]
}

/** Reads the body of an `iloc` box; throws a RangeError where it is cut. */
export function itemLocationsIn(body: Buffer): ItemLocations {
  const version = body.readUInt8(0)
  const sizes = { offset: body.readUInt8(4) >> 4, length: body.readUInt8(4) & 15, base: body.readUInt8(5) >> 4 }
  const indexBytes = version === 0 ? 0 : body.readUInt8(5) & 15
  const countBytes = version < 2 ? 2 : 4
  let at = 6
  const number = (bytes: number): number => {
    // Fields of 8 bytes are read to 48 bits, which is more than a file has.
    const value = bytes === 0 ? 0 : bytes === 8 ? body.readUIntBE(at + 2, 6) : body.readUIntBE(at, bytes)
    at += bytes
    return value
  }
  const count = number(countBytes)
  const head = body.subarray(0, at)
  const items: ItemLocation[] = []
  for (let item = 0; item < count; item++) {
    const start = at
    const id = number(countBytes)
    const construction = version === 0 ? 0 : number(2) & 15
    number(2)
    const base = number(sizes.base)
    const extents: Extent[] = []
    for (let left = number(2); left > 0; left--) {
      number(indexBytes)
      const field = { at: at - start, base, bytes: sizes.offset }
      extents.push({ offset: base + number(sizes.offset), length: number(sizes.length), field })
    }
    items.push({ id, construction, extents, entry: body.subarray(start, at) })
  }
  return { head, countBytes, items }
}

/** The box's body with those items alone, their offsets changed; throws a RangeError where one does not fit its field. */
export function itemLocationsBody(
  { head, countBytes }: ItemLocations,
  items: readonly ItemLocation[],
  moved: (offset: number) => number,
): Buffer {
  const start = Buffer.from(head)
  start.writeUIntBE(items.length, start.length - countBytes, countBytes)
  const entries = items.map(({ construction, extents, entry }) => {
    const copy = Buffer.from(entry)
    if (construction !== 0) return copy
    for (const { offset, field } of extents) {
      const value = moved(offset) - field.base
      if (field.bytes === 0 && value !== 0) throw new RangeError('the offset has no field of its own')
      if (field.bytes > 0) copy.writeUIntBE(value, field.at + (field.bytes === 8 ? 2 : 0), Math.min(field.bytes, 6))
    }
    return copy
  })
  return Buffer.concat([start, ...entries])
}
