import { box, fullBox, uint8, uint16, uint32 } from '../isobmff/boxes.ts'
import type { CodedPicture } from './coded-picture.ts'

/** Tiles of equal size that cover a picture, row by row; what they have too much is cut off right and below. */
export interface TiledPicture {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  readonly tileWidth: number
  readonly tileHeight: number
  readonly tiles: readonly CodedPicture[]
}

interface Item {
  readonly type: 'hvc1' | 'grid'
  readonly hidden: boolean
  readonly properties: readonly Buffer[]
  readonly data: Buffer
  /** Items that this one is made of. */
  readonly parts?: readonly number[]
  /** The item that this one is the alpha of. */
  readonly alphaOf?: number
}

/** sRGB, coded as YCbCr by BT.601 in full range (H.273: 1, 13, 6), which is what libheif's encoders write. */
const sRgb = box('colr', Buffer.from('nclx', 'latin1'), uint16(1, 13, 6), uint8(0x80))
const alphaUrn = fullBox('auxC', 0, 0, Buffer.from('urn:mpeg:hevc:2015:auxid:1\0', 'latin1'))
const colourDepth = fullBox('pixi', 0, 0, uint8(3, 8, 8, 8))
const alphaDepth = fullBox('pixi', 0, 0, uint8(1, 8))
const extent = (width: number, height: number): Buffer => fullBox('ispe', 0, 0, uint32(width, height))

/** The bytes of a HEIC file (ISO/IEC 23008-12) with one picture: a coded image, or a grid of them, and perhaps its alpha. */
export function composeHeic(colour: TiledPicture, alpha: TiledPicture | undefined): Buffer {
  const items: Item[] = []
  const primary = addPicture(items, colour, [colourDepth, sRgb])
  if (alpha) addPicture(items, alpha, [alphaDepth, alphaUrn], primary)
  return file(items, primary)
}

/** Adds the items of a picture and returns the number of the one that stands for it; items count from 1. */
function addPicture(items: Item[], picture: TiledPicture, properties: readonly Buffer[], alphaOf?: number): number {
  const { width, height, tileWidth, tileHeight, columns, rows } = picture
  const whole = picture.tiles.length === 1 && width === tileWidth && height === tileHeight
  const related = alphaOf === undefined ? {} : { alphaOf }
  const tiles = picture.tiles.map(({ configuration, data }) => {
    const own = [box('hvcC', configuration), extent(tileWidth, tileHeight)]
    items.push({ type: 'hvc1', hidden: !whole, properties: whole ? [...own, ...properties] : own, data, ...(whole && related) })
    return items.length
  })
  if (whole) return items.length
  // Grid descriptor (6.6.2.3): version, 32-bit sizes, rows and columns less one, size of the picture.
  const data = Buffer.concat([uint8(0, 1, rows - 1, columns - 1), uint32(width, height)])
  items.push({ type: 'grid', hidden: false, properties: [extent(width, height), ...properties], data, parts: tiles, ...related })
  return items.length
}

function file(items: readonly Item[], primary: number): Buffer {
  const start = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  // The data's offsets depend on the size of the boxes before it, which is the same for every offset.
  const dataAt = start.length + meta(items, primary, 0).length + 8
  return Buffer.concat([start, meta(items, primary, dataAt), box('mdat', ...items.map(({ data }) => data))])
}

function meta(items: readonly Item[], primary: number, dataAt: number): Buffer {
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
  )
}

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

/** Equal properties are stored once, as the tiles of a grid share theirs. `hvcC` is essential (7.4.2). */
function itemProperties(items: readonly Item[]): Buffer {
  const stored = new Map<string, { readonly index: number; readonly bytes: Buffer }>()
  const indexOf = (bytes: Buffer): number => {
    const key = bytes.toString('latin1')
    const known = stored.get(key) ?? { index: stored.size + 1, bytes }
    stored.set(key, known)
    return known.index
  }
  const entries = items.map(({ properties }, item) => {
    const marks = properties.map((bytes) => indexOf(bytes) | (bytes.toString('latin1', 4, 8) === 'hvcC' ? 0x80 : 0))
    return Buffer.concat([uint16(item + 1), uint8(marks.length, ...marks)])
  })
  const container = box('ipco', ...[...stored.values()].map(({ bytes }) => bytes))
  return box('iprp', container, fullBox('ipma', 0, 0, uint32(items.length), ...entries))
}
