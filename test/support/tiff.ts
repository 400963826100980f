/** Writes uncompressed TIFFs of any layout, which no encoder here would. */

const [SHORT, LONG] = [3, 4]

export interface Fields {
  readonly [tag: number]: readonly number[]
}

/** The fields that every picture needs, for `bits` of each of `samples`. */
export const baseline = (width: number, height: number, samples: number, bits: number): Fields => ({
  256: [width],
  257: [height],
  258: new Array<number>(samples).fill(bits),
  259: [1],
  262: [samples < 3 ? 1 : 2],
  277: [samples],
  278: [height],
})

/** A little-endian TIFF, or BigTIFF, with one directory in front of its strips or tiles; their fields are filled in. */
export function tiffOf(fields: Fields, chunks: readonly Uint8Array[], big = false): Buffer {
  const tiled = 322 in fields
  const entries = { ...fields, [tiled ? 324 : 273]: chunks.map(() => 0), [tiled ? 325 : 279]: chunks.map(({ length }) => length) }
  const tags = Object.keys(entries).map(Number)
  const [word, entryBytes, start] = big ? [8, 20, 16] : [4, 12, 8]
  const file = Buffer.alloc(start + (big ? 8 : 2) + tags.length * entryBytes + word + tags.length * 64 + chunks.length * 16)
  file.write('II')
  file.writeUInt16LE(big ? 43 : 42, 2)
  if (big) file.writeUInt16LE(8, 4)
  file.writeUInt32LE(start, big ? 8 : 4)
  file.writeUInt16LE(tags.length, start)
  let free = start + (big ? 8 : 2) + tags.length * entryBytes + word
  let pixelsAt = file.length
  for (const [index, tag] of tags.entries()) {
    const values = (entries[tag] ?? []).map((value) => (tag === 273 || tag === 324 ? -1 : value))
    const type = values.some((value) => value > 65_535 || value < 0) ? LONG : SHORT
    const bytes = values.length * (type === LONG ? 4 : 2)
    const entry = start + (big ? 8 : 2) + index * entryBytes
    file.writeUInt16LE(tag, entry)
    file.writeUInt16LE(type, entry + 2)
    file.writeUInt32LE(values.length, entry + 4)
    let at = entry + 4 + word
    if (bytes > word) {
      file.writeUInt32LE(free, at)
      at = free
      free += bytes + (bytes & 1)
    }
    for (const [place, value] of values.entries()) {
      if (type === SHORT) file.writeUInt16LE(value, at + place * 2)
      else file.writeUInt32LE(value < 0 ? pixelsAt : value, at + place * 4)
      if (value < 0) pixelsAt += chunks[place]?.length ?? 0
    }
  }
  return Buffer.concat([file, ...chunks])
}

/** Numbers of `bits` each, the highest bit first, as one row of a TIFF. */
export function packed(values: readonly number[], bits: number): Uint8Array {
  const text = values.map((value) => value.toString(2).padStart(bits, '0')).join('')
  return Uint8Array.from(text.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}
