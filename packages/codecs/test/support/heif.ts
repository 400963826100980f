import type { Sharp } from 'sharp'
import type { CodedPair, CodedPicture } from '../../src/heic/coded-pair.ts'
import { openElheif } from '../../src/heic/elheif.ts'
import { box, fullBox, uint8, uint16, uint32 } from '../../src/isobmff/boxes.ts'

/** HEIF files assembled box by box, so that each test can have the one it needs: HEVC by elheif, the rest written here. */

export interface Item {
  /** A four-character code: hvc1, grid, Exif … */
  readonly type: string
  readonly properties?: readonly Buffer[]
  readonly data?: Buffer
  readonly hidden?: boolean
  /** References from this item to others, by number. */
  readonly references?: readonly (readonly [type: 'dimg' | 'auxl' | 'prem' | 'thmb' | 'cdsc', ...to: number[]])[]
  /** Where the file claims the data is, if different. */
  readonly offset?: number
}

export interface Layout {
  /** Item numbers start at 1. */
  readonly primary?: number
  /** The start of the file instead of its own `ftyp` box, for example the file of a sequence. */
  readonly start?: Buffer
}

const ftyp = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))

const essential = new Set(['hvcC', 'irot', 'imir', 'clap'])

export function heif(items: readonly Item[], { primary = 1, start = ftyp }: Layout = {}): Buffer {
  const dataAt = start.length + meta(items, primary, 0).length + 8
  return Buffer.concat([start, meta(items, primary, dataAt), box('mdat', ...items.map(({ data }) => data ?? Buffer.alloc(0)))])
}

function meta(items: readonly Item[], primary: number, dataAt: number): Buffer {
  let offset = dataAt
  const locations = items.map(({ data, offset: ownOffset }, index) => {
    const length = data?.length ?? 0
    const entry = Buffer.concat([uint16(index + 1, 0, 1), uint32(ownOffset ?? offset, length)])
    offset += length
    return entry
  })
  const names = items.map(({ type, hidden }, index) =>
    fullBox('infe', 2, hidden ? 1 : 0, uint16(index + 1, 0), Buffer.from(`${type}\0`, 'latin1')),
  )
  const references = items.flatMap(({ references = [] }, index) =>
    references.map(([type, ...to]) => box(type, uint16(index + 1, to.length, ...to))),
  )
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
    fullBox('pitm', 0, 0, uint16(primary)),
    fullBox('iloc', 0, 0, uint8(0x44, 0), uint16(items.length), ...locations),
    fullBox('iinf', 0, 0, uint16(items.length), ...names),
    ...(references.length > 0 ? [fullBox('iref', 0, 0, ...references)] : []),
    propertiesOf(items),
  )
}

function propertiesOf(items: readonly Item[]): Buffer {
  const all = items.flatMap(({ properties = [] }) => properties)
  let index = 0
  const entries = items.map(({ properties = [] }, item) => {
    const marks = properties.map((bytes) => ++index | (essential.has(bytes.toString('latin1', 4, 8)) ? 0x8000 : 0))
    return Buffer.concat([uint16(item + 1), uint8(marks.length), uint16(...marks)])
  })
  return box('iprp', box('ipco', ...all), fullBox('ipma', 0, 1, uint32(items.length), ...entries))
}

export const extent = (width: number, height: number): Buffer => fullBox('ispe', 0, 0, uint32(width, height))
export const configuration = ({ configuration }: CodedPicture): Buffer => box('hvcC', configuration)
/** Anticlockwise. */
export const turn = (degrees: 90 | 180 | 270): Buffer => box('irot', uint8(degrees / 90))
/** 0 flips vertically, 1 horizontally. */
export const mirror = (axis: 0 | 1): Buffer => box('imir', uint8(axis))
export const codePoints = (primaries: number, transfer: number, matrix = 6): Buffer =>
  box('colr', Buffer.from('nclx', 'latin1'), uint16(primaries, transfer, matrix), uint8(0x80))
export const profile = (icc: Uint8Array): Buffer => box('colr', Buffer.from('prof', 'latin1'), icc)
export const alphaMark = fullBox('auxC', 0, 0, Buffer.from('urn:mpeg:hevc:2015:auxid:1\0', 'latin1'))

/** A region in halves of pixels around the centre (ISO/IEC 14496-12, 12.1.4). */
export function aperture(from: { width: number; height: number }, x: number, y: number, width: number, height: number): Buffer {
  const across = 2 * x + width - from.width
  const down = 2 * y + height - from.height
  return box('clap', uint32(width, 1, height, 1, across >>> 0, 2, down >>> 0, 2))
}

export interface Coded extends CodedPair {
  readonly width: number
  readonly height: number
}

/** Encodes a picture whose sides are multiples of 8. */
export async function encode(pixels: Sharp): Promise<Coded> {
  const { data, info } = await pixels.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { ...(await openElheif()).encode(data, width, height), width, height }
}

/** An item with one coded picture. */
export const picture = ({ colour, width, height }: Coded, ...properties: readonly Buffer[]): Item => ({
  type: 'hvc1',
  properties: [configuration(colour), extent(width, height), ...properties],
  data: colour.data,
})

/** The alpha of another item, as an item. */
export const alphaOf = ({ alpha, width, height }: Coded, item: number): Item => ({
  type: 'hvc1',
  properties: [configuration(alpha), extent(width, height), alphaMark],
  data: alpha.data,
  references: [['auxl', item]],
})

/** A grid of the items that follow it. */
export const grid = (
  columns: number,
  rows: number,
  size: { readonly width: number; readonly height: number },
  tiles: readonly number[],
  ...properties: readonly Buffer[]
): Item => ({
  type: 'grid',
  properties: [extent(size.width, size.height), ...properties],
  data: Buffer.concat([uint8(0, 1, rows - 1, columns - 1), uint32(size.width, size.height)]),
  references: [['dimg', ...tiles]],
})
