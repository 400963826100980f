import { box, fullBox, uint8, uint16, uint32 } from './boxes.ts'

/** A coded picture or one derived from others; items are numbered from 1. */
export interface Item {
  /** Four letters, such as hvc1, av01 or grid. */
  readonly type: string
  readonly hidden: boolean
  readonly properties: readonly Buffer[]
  readonly data: Buffer
  /** Items that this one is made of. */
  readonly parts?: readonly number[]
  /** The item that this one is the alpha of. */
  readonly alphaOf?: number
}

/** The `ispe` property. */
export const extent = (width: number, height: number): Buffer => fullBox('ispe', 0, 0, uint32(width, height))

/**
 * The bytes of a file (ISO/IEC 23008-12) of those items.
 * @param brands what follows in its `ftyp` box
 * @param alternatives items of which a reader shows the first that it can
 */
export function composeItems(
  brands: string,
  items: readonly Item[],
  primary: number,
  alternatives: readonly number[] = [],
): Buffer {
  const start = box('ftyp', Buffer.from(brands, 'latin1'))
  const metaAt = (dataAt: number) => meta(items, primary, dataAt, alternatives)
  // Offsets depend on the size of `meta`, which does not depend on their values.
  const dataAt = start.length + metaAt(0).length + 8
  return Buffer.concat([start, metaAt(dataAt), box('mdat', ...items.map(({ data }) => data))])
}

function meta(items: readonly Item[], primary: number, dataAt: number, alternatives: readonly number[]): Buffer {
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
    fullBox('pitm', 0, 0, uint16(primary)),
    itemLocations(items, dataAt),
    fullBox('iinf', 0, 0, uint16(items.length), ...items.map(itemInfo)),
    itemReferences(items),
    itemProperties(items),
    alternatives.length > 0 ? groupOf(items.length + 1, alternatives) : Buffer.alloc(0),
  )
}

/** 9.4: groups and items have different numbers. */
const groupOf = (id: number, members: readonly number[]): Buffer =>
  box('grpl', fullBox('altr', 0, 0, uint32(id, members.length, ...members)))

/** `iloc` version 0: 32-bit offsets and lengths, no base offset, one extent each. */
function itemLocations(items: readonly Item[], dataAt: number): Buffer {
  let offset = dataAt
  const entries = items.map(({ data }, index) => {
    const entry = Buffer.concat([uint16(index + 1, 0, 1), uint32(offset, data.length)])
    offset += data.length
    return entry
  })
  return fullBox('iloc', 0, 0, uint8(0x44, 0x00), uint16(items.length), ...entries)
}

const itemInfo = ({ type, hidden }: Item, index: number): Buffer =>
  fullBox('infe', 2, hidden ? 1 : 0, uint16(index + 1, 0), Buffer.from(`${type}\0`, 'latin1'))

function itemReferences(items: readonly Item[]): Buffer {
  const references = items.flatMap(({ parts, alphaOf }, index) => [
    ...(parts ? [box('dimg', uint16(index + 1, parts.length, ...parts))] : []),
    ...(alphaOf === undefined ? [] : [box('auxl', uint16(index + 1, 1, alphaOf))]),
  ])
  return references.length > 0 ? fullBox('iref', 0, 0, ...references) : Buffer.alloc(0)
}

/** How the data are decoded and turned is essential (ISO/IEC 23008-12, 7.4.2; AV1-AVIF, 2.2.1). */
const ESSENTIAL: readonly string[] = ['hvcC', 'av1C', 'irot', 'imir', 'clap']

/** Equal properties are stored once, as the tiles of a grid share theirs. */
function itemProperties(items: readonly Item[]): Buffer {
  const propertiesByKey = new Map<string, { readonly index: number; readonly bytes: Buffer }>()
  const indexOf = (bytes: Buffer): number => {
    const key = bytes.toString('latin1')
    const property = propertiesByKey.get(key) ?? { index: propertiesByKey.size + 1, bytes }
    propertiesByKey.set(key, property)
    return property.index
  }
  const entries = items.map(({ properties }, item) => {
    const marks = properties.map((bytes) => indexOf(bytes) | (ESSENTIAL.includes(bytes.toString('latin1', 4, 8)) ? 0x80 : 0))
    return Buffer.concat([uint16(item + 1), uint8(marks.length, ...marks)])
  })
  const container = box('ipco', ...[...propertiesByKey.values()].map(({ bytes }) => bytes))
  return box('iprp', container, fullBox('ipma', 0, 0, uint32(items.length), ...entries))
}
