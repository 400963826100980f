import type { Sharp } from 'sharp'
import type { Written } from '../codec.ts'
import { box, fullBox, uint8, uint16, uint32 } from '../isobmff/boxes.ts'
import { composeItems, extent, type Item } from '../isobmff/compose-items.ts'
import type { CodedPair, CodedPicture } from './coded-pair.ts'
import { type Encoder, openElheif } from './elheif.ts'

/** Longest side of a tile: the encoder's memory is bounded by it, and a megapixel is large enough to cost no bytes. */
const MAX_TILE = 1024
/** The encoder rounds sizes up to this (the smallest coding block of HEVC). */
const BLOCK = 8

interface Raw {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: number
}

interface Split {
  readonly count: number
  readonly length: number
}

/** Splits a side into as few equal tiles as possible. */
function split(side: number): Split {
  const count = Math.ceil(side / MAX_TILE)
  return { count, length: Math.ceil(side / count / BLOCK) * BLOCK }
}

/** RGBA of one tile; beyond the picture, edge pixels are repeated. */
function cut({ data, width, height, channels }: Raw, left: number, top: number, tileWidth: number, tileHeight: number): Buffer {
  const tile = Buffer.alloc(tileWidth * tileHeight * 4, 0xff)
  for (let y = 0; y < tileHeight; y++) {
    const row = Math.min(top + y, height - 1) * width
    for (let x = 0; x < tileWidth; x++) {
      const from = (row + Math.min(left + x, width - 1)) * channels
      const to = (y * tileWidth + x) * 4
      for (let channel = 0; channel < channels; channel++) tile[to + channel] = data[from + channel] ?? 0
    }
  }
  return tile
}

function isOpaque({ data, channels }: Raw): boolean {
  if (channels === 3) return true
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0xff) return false
  return true
}

/** Encodes as HEIC in a grid of tiles, as phones do; with alpha only for pictures with transparency. */
export async function writeHeic(pixels: Sharp): Promise<Written> {
  const heic = await writeSmallerHeic(pixels, Number.POSITIVE_INFINITY)
  if (!heic) throw new Error('a HEIC without a limit was not written')
  return heic
}

/** As writeHeic; undefined as soon as the tiles have `toBeat` bytes or more. */
export async function writeSmallerHeic(pixels: Sharp, toBeat: number): Promise<Written | undefined> {
  const { raw, across, down } = await cuttable(pixels)
  const hasAlpha = !isOpaque(raw)
  const encoder = await openElheif()
  const pairs = new Map<number, CodedPair>()
  let bytes = 0
  for (const index of spread(across.count * down.count)) {
    const pair = encodeTile(encoder, raw, across, down, index)
    pairs.set(index, pair)
    bytes += pair.colour.data.length + (hasAlpha ? pair.alpha.data.length : 0)
    if (bytes >= toBeat) return undefined
  }
  const { width, height } = raw
  const layout = { width, height, columns: across.count, rows: down.count, tileWidth: across.length, tileHeight: down.length }
  const inOrder = [...pairs].sort(([a], [b]) => a - b).map(([, pair]) => pair)
  const colour: TiledPicture = { ...layout, tiles: inOrder.map(({ colour }) => colour) }
  const alpha: TiledPicture = { ...layout, tiles: inOrder.map(({ alpha }) => alpha) }
  return { bytes: composeHeic(colour, hasAlpha ? alpha : undefined), width, height }
}

/** Tiles that are encoded for an estimate. */
const SAMPLES = 3

/** Estimates the size of the file from a few tiles; 0 for a picture of no more tiles than that. */
export async function estimatedBytes(pixels: Sharp): Promise<number> {
  const { raw, across, down } = await cuttable(pixels)
  const count = across.count * down.count
  if (count <= SAMPLES) return 0
  const encoder = await openElheif()
  const tiles = spread(count).slice(0, SAMPLES)
  const bytes = tiles.map((index) => encodeTile(encoder, raw, across, down, index).colour.data.length)
  return (bytes.reduce((sum, length) => sum + length, 0) * count) / SAMPLES
}

async function cuttable(pixels: Sharp): Promise<{ readonly raw: Raw; readonly across: Split; readonly down: Split }> {
  const { data, info } = await pixels.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const raw = { data, width: info.width, height: info.height, channels: info.channels }
  return { raw, across: split(info.width), down: split(info.height) }
}

function encodeTile(encoder: Encoder, raw: Raw, across: Split, down: Split, index: number): CodedPair {
  const column = index % across.count
  const row = Math.floor(index / across.count)
  const tile = cut(raw, column * across.length, row * down.length, across.length, down.length)
  return encoder.encode(tile, across.length, down.length)
}

/** Steps of the golden ratio spread the first tiles over the picture, whose first rows may be sky. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The numbers below `count`, in an order in which neighbours are far apart. */
const spread = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index).sort((a, b) => ((a * GOLDEN) % 1) - ((b * GOLDEN) % 1))

/** Tiles of equal size that cover a picture, row by row; the excess is cropped at the right and bottom. */
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
function composeHeic(colour: TiledPicture, alpha: TiledPicture | undefined): Buffer {
  const items: Item[] = []
  const primary = addPicture(items, colour, [colourDepth, sRgb])
  if (alpha) addPicture(items, alpha, [alphaDepth, alphaUrn], primary)
  return composeItems(brands, items, primary)
}

/** Adds the items of a picture and returns the number of its main item; items are numbered from 1. */
function addPicture(items: Item[], picture: TiledPicture, properties: readonly Buffer[], alphaOf?: number): number {
  const { width, height, tileWidth, tileHeight, columns, rows } = picture
  const whole = picture.tiles.length === 1 && width === tileWidth && height === tileHeight
  const relation = alphaOf === undefined ? {} : { alphaOf }
  const tiles = picture.tiles.map(({ configuration, data }) => {
    const own = [box('hvcC', configuration), extent(tileWidth, tileHeight)]
    items.push({ type: 'hvc1', hidden: !whole, properties: whole ? [...own, ...properties] : own, data, ...(whole && relation) })
    return items.length
  })
  if (whole) return items.length
  // Grid descriptor (6.6.2.3): version, 32-bit sizes, rows and columns less one, size of the picture.
  const data = Buffer.concat([uint8(0, 1, rows - 1, columns - 1), uint32(width, height)])
  items.push({ type: 'grid', hidden: false, properties: [extent(width, height), ...properties], data, parts: tiles, ...relation })
  return items.length
}
