/** Where an item's bytes lie (ISO/IEC 14496-12, 8.11.3). */
export interface ItemLocation {
  readonly id: number
  /** 0: offsets into the file; 1: into the `idat` box; 2: into another item. */
  readonly construction: number
  readonly extents: readonly Extent[]
  /** The entry's bytes, and the position of its base offset in them. */
  readonly entry: Buffer
  readonly base: Field
}

/** A number in an entry; of 0, 4 or 8 bytes. */
interface Field {
  readonly at: number
  readonly bytes: number
}

export interface Extent {
  readonly offset: number
  readonly length: number
  /** The field of the offset, which is relative to the entry's base offset. */
  readonly field: Field
}

export interface ItemLocations {
  /** The bytes before the first entry; they end with the number of entries. */
  readonly head: Buffer
  readonly countBytes: number
  readonly items: readonly ItemLocation[]
}

/** Reads the body of an `iloc` box. @throws RangeError when it is truncated */
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
    const baseField = { at: at - start, bytes: sizes.base }
    const base = number(sizes.base)
    const extents: Extent[] = []
    for (let left = number(2); left > 0; left--) {
      number(indexBytes)
      const field = { at: at - start, bytes: sizes.offset }
      extents.push({ offset: base + number(sizes.offset), length: number(sizes.length), field })
    }
    items.push({ id, construction, extents, entry: body.subarray(start, at), base: baseField })
  }
  return { head, countBytes, items }
}

/** The body with only these items and changed offsets. @throws RangeError when an offset does not fit its field */
export function itemLocationsBody(
  { head, countBytes }: ItemLocations,
  items: readonly ItemLocation[],
  moveOffset: (offset: number) => number,
): Buffer {
  const start = Buffer.from(head)
  start.writeUIntBE(items.length, start.length - countBytes, countBytes)
  const entries = items.map(({ construction, extents, entry, base }) => {
    const copy = Buffer.from(entry)
    if (construction !== 0) return copy
    const [first] = extents
    // The base holds the offset if extents have no offset field; otherwise it is set to 0.
    put(copy, base, first?.field.bytes === 0 ? moveOffset(first.offset) : 0)
    for (const { offset, field } of extents) if (field.bytes > 0) put(copy, field, moveOffset(offset))
    return copy
  })
  return Buffer.concat([start, ...entries])
}

function put(entry: Buffer, { at, bytes }: Field, value: number): void {
  if (bytes === 0 && value !== 0) throw new RangeError('there is no field for the offset')
  if (bytes > 0) entry.writeUIntBE(value, at + (bytes === 8 ? 2 : 0), Math.min(bytes, 6))
}
