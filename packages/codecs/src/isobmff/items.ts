import { type Box, boxesIn, fileBoxesIn } from './boxes.ts'
import { itemLocationsIn } from './item-locations.ts'

/** An item with its properties and data. */
export interface Item {
  readonly id: number
  /** Four letters, such as av01, hvc1 or grid. */
  readonly type: string
  readonly properties: readonly Box[]
  /** Its coded data, as far as they are in the file itself. */
  readonly data: Buffer
}

const FULL_BOX_BYTES = 4

/** The boxes inside the `meta` box of a file; none where it has no such box. */
function metaBoxesIn(file: Buffer): readonly Box[] {
  // boxesIn stops at media data with a 64-bit size.
  const meta = [...boxesIn(file), ...fileBoxesIn(file)].find(({ type }) => type === 'meta')
  return meta ? boxesIn(meta.body.subarray(FULL_BOX_BYTES)) : []
}

/** The primary item (ISO/IEC 23008-12, 6.2); undefined when there is none or its boxes are damaged. */
export const primaryItemOf = (file: Buffer): Item | undefined => within(file, (meta, primary) => itemOf(file, meta, primary))

/** The first item from which the primary one, such as a grid, is derived; the primary item itself when it is coded. */
export const codedItemOf = (file: Buffer): Item | undefined => within(file, (meta, primary) => firstPart(file, meta, primary))

/** The alpha item of the primary one, or its first part. */
export const alphaItemOf = (file: Buffer): Item | undefined =>
  within(file, (meta, primary) => {
    const belonging = references(meta, 'auxl').filter(({ to }) => to.includes(primary))
    const alpha = belonging.find(({ from }) => propertiesOf(meta, from).some(isAlphaMark))
    return alpha && firstPart(file, meta, alpha.from)
  })

const isAlphaMark = ({ type, body }: Box): boolean =>
  type === 'auxC' && /alpha|auxid:1\0/.test(body.toString('latin1', FULL_BOX_BYTES))

/** An item with the numbers of its parts and of the item whose alpha it is. */
export interface RelatedItem extends Item {
  readonly parts: readonly number[]
  readonly alphaOf: number | undefined
}

/**
 * A picture of a file with its parts and its alpha, and their relations; none when the file is damaged or has too many.
 * @param start the picture's number, by default that of the primary item
 */
export function relatedItemsOf(file: Buffer, start?: number, most = MOST_RELATED): readonly RelatedItem[] {
  const items: RelatedItem[] = []
  within(file, (meta, primary) => {
    const parts = references(meta, 'dimg')
    const alpha = references(meta, 'auxl')
    const waiting = [start ?? primary]
    for (let id = waiting.shift(); id !== undefined && items.length < most; id = waiting.shift()) {
      const item = items.some((other) => other.id === id) ? undefined : itemOf(file, meta, id)
      if (!item) continue
      const own = parts.find(({ from }) => from === id)?.to ?? []
      items.push({ ...item, parts: own, alphaOf: alpha.find(({ from }) => from === id)?.to[0] })
      waiting.push(...own, ...alpha.filter(({ to }) => to.includes(id)).map(({ from }) => from))
    }
    return undefined
  })
  return items.length < most ? items : []
}

/** Derived pictures have a few items; grids by phones have hundreds, without apertures. */
const MOST_RELATED = 64

/** An item of metadata, with what follows its type in its information entry. */
export interface DescribingItem extends Item {
  readonly info: string
}

/** All items of a type, related to the primary one or not. */
export function itemsOfType(file: Buffer, itemType: string): readonly DescribingItem[] {
  const items: DescribingItem[] = []
  within(file, (meta) => {
    for (const [id, { type, info }] of infosIn(meta)) {
      if (type === itemType && items.length < MOST_RELATED)
        items.push({ id, type, info, properties: [], data: dataOf(file, meta, id) })
    }
    return undefined
  })
  return items
}

/** Where the data of all pictures end in the file, and those of metadata; 0 where there are none. */
export function pictureAndMetadataEnds(file: Buffer): { readonly pictures: number; readonly metadata: number } {
  const ends = { pictures: 0, metadata: 0 }
  within(file, (meta) => {
    const infos = infosIn(meta)
    const iloc = meta.find(({ type }) => type === 'iloc')?.body
    for (const { id, construction, extents } of iloc ? itemLocationsIn(iloc).items : []) {
      const kind = METADATA.includes(infos.get(id)?.type ?? '') ? 'metadata' : 'pictures'
      for (const { offset, length } of construction === 0 ? extents : []) ends[kind] = Math.max(ends[kind], offset + length)
    }
    return undefined
  })
  return ends
}

/** Types of items that are not pictures (ISO/IEC 23008-12, annex A; ISO/IEC 14496-12, 8.11.6). */
export const METADATA: readonly string[] = ['Exif', 'mime', 'uri ']

/** The places in the file where items of metadata are. */
export function placesOfMetadata(file: Buffer): readonly Buffer[] {
  const extents: Buffer[] = []
  within(file, (meta) => {
    for (const [id, { type }] of infosIn(meta)) if (METADATA.includes(type)) extents.push(...extentsOf(file, meta, id))
    return undefined
  })
  return extents
}

/** The properties of all items. */
export function propertiesOfAll(file: Buffer): readonly Box[] {
  const inside = boxesIn(metaBoxesIn(file).find(({ type }) => type === 'iprp')?.body ?? Buffer.alloc(0))
  return boxesIn(inside.find(({ type }) => type === 'ipco')?.body ?? Buffer.alloc(0))
}

/** Runs a query on the items of a file; undefined when a number lies outside its box. */
function within(file: Buffer, ask: (meta: readonly Box[], primary: number) => Item | undefined): Item | undefined {
  try {
    const meta = metaBoxesIn(file)
    const pitm = meta.find(({ type }) => type === 'pitm')?.body
    return pitm && ask(meta, pitm.readUInt8(0) === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function firstPart(file: Buffer, meta: readonly Box[], id: number): Item | undefined {
  const [first = id] = references(meta, 'dimg').find(({ from }) => from === id)?.to ?? []
  return itemOf(file, meta, first)
}

function itemOf(file: Buffer, meta: readonly Box[], id: number): Item | undefined {
  const type = typesIn(meta).get(id)
  return type === undefined ? undefined : { id, type, properties: propertiesOf(meta, id), data: dataOf(file, meta, id) }
}

const typesIn = (meta: readonly Box[]): ReadonlyMap<number, string> =>
  new Map([...infosIn(meta)].map(([id, { type }]) => [id, type]))

/** Item → its type, and what follows it, by its information entry (ISO/IEC 14496-12, 8.11.6) of version 2 or 3. */
function infosIn(meta: readonly Box[]): ReadonlyMap<number, { readonly type: string; readonly info: string }> {
  const iinf = meta.find(({ type }) => type === 'iinf')?.body
  if (!iinf) return new Map()
  const entries = boxesIn(iinf.subarray(iinf.readUInt8(0) === 0 ? 6 : 8)).filter(({ body }) => body.readUInt8(0) >= 2)
  return new Map(
    entries.map(({ body }) => {
      const isWide = body.readUInt8(0) >= 3
      const typeAt = isWide ? 10 : 8
      const id = isWide ? body.readUInt32BE(4) : body.readUInt16BE(4)
      return [id, { type: body.toString('latin1', typeAt, typeAt + 4), info: body.toString('latin1', typeAt + 4) }]
    }),
  )
}

/** ISO/IEC 23008-12, 9.3: indices into the container of all properties, counted from 1. */
function propertiesOf(meta: readonly Box[], itemId: number): readonly Box[] {
  const inside = boxesIn(meta.find(({ type }) => type === 'iprp')?.body ?? Buffer.alloc(0))
  const available = boxesIn(inside.find(({ type }) => type === 'ipco')?.body ?? Buffer.alloc(0))
  const properties: Box[] = []
  for (const { body } of inside.filter(({ type }) => type === 'ipma')) {
    const idBytes = body.readUInt8(0) === 0 ? 2 : 4
    const indexBytes = (body.readUInt8(3) & 1) + 1
    for (let entry = 0, at = 8; entry < body.readUInt32BE(4); entry++) {
      const id = body.readUIntBE(at, idBytes)
      const count = body.readUInt8(at + idBytes)
      at += idBytes + 1
      for (let index = 0; index < count; index++, at += indexBytes) {
        const property = available[(body.readUIntBE(at, indexBytes) & (indexBytes === 1 ? 0x7f : 0x7fff)) - 1]
        if (id === itemId && property) properties.push(property)
      }
    }
  }
  return properties
}

const dataOf = (file: Buffer, meta: readonly Box[], id: number): Buffer => Buffer.concat(extentsOf(file, meta, id))

/** The places of an item's data in the file. */
function extentsOf(file: Buffer, meta: readonly Box[], id: number): readonly Buffer[] {
  const iloc = meta.find(({ type }) => type === 'iloc')?.body
  const item = iloc && itemLocationsIn(iloc).items.find((one) => one.id === id)
  const source = item?.construction === 1 ? meta.find(({ type }) => type === 'idat')?.body : file
  if (!item || !source || item.construction > 1) return []
  return item.extents.map(({ offset, length }) => source.subarray(offset, length === 0 ? source.length : offset + length))
}

/** References of a kind between items (ISO/IEC 14496-12, 8.11.12). */
function references(meta: readonly Box[], kind: string): readonly { readonly from: number; readonly to: readonly number[] }[] {
  const iref = meta.find(({ type }) => type === 'iref')?.body
  if (!iref) return []
  const bytes = iref.readUInt8(0) === 0 ? 2 : 4
  return boxesIn(iref.subarray(FULL_BOX_BYTES))
    .filter(({ type }) => type === kind)
    .map(({ body }) => {
      const count = body.readUInt16BE(bytes)
      const to = Array.from({ length: count }, (_, index) => body.readUIntBE(bytes + 2 + index * bytes, bytes))
      return { from: body.readUIntBE(0, bytes), to }
    })
}
