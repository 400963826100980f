import { box, fullBox, uint8, uint16, uint32 } from '../isobmff/boxes.ts'
import { composeItems, extent, type Item } from '../isobmff/compose-items.ts'
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

/** sRGB, coded as YCbCr by BT.601 in full range (H.273: 1, 13, 6), which is what libheif's encoders write. */
const sRgb = box('colr', Buffer.from('nclx', 'latin1'), uint16(1, 13, 6), uint8(0x80))
const brands = 'heic\0\0\0\0mif1heic'
const alphaUrn = fullBox('auxC', 0, 0, Buffer.from('urn:mpeg:hevc:2015:auxid:1\0', 'latin1'))
const colourDepth = fullBox('pixi', 0, 0, uint8(3, 8, 8, 8))
const alphaDepth = fullBox('pixi', 0, 0, uint8(1, 8))

/** The bytes of a HEIC file (ISO/IEC 23008-12) with one picture: a coded image, or a grid of them, and perhaps its alpha. */
export function composeHeic(colour: TiledPicture, alpha: TiledPicture | undefined): Buffer {
  const items: Item[] = []
  const primary = addPicture(items, colour, [colourDepth, sRgb])
  if (alpha) addPicture(items, alpha, [alphaDepth, alphaUrn], primary)
  return composeItems(brands, items, primary)
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
