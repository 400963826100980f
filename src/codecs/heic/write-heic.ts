import type { Sharp } from 'sharp'
import type { Written } from '../written.ts'
import { composeHeic, type TiledPicture } from './compose.ts'
import { openElheif } from './elheif.ts'

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

/** Splits a side into equal tiles, as few as may be. */
function split(side: number): { readonly count: number; readonly length: number } {
  const count = Math.ceil(side / MAX_TILE)
  return { count, length: Math.ceil(side / count / BLOCK) * BLOCK }
}

/** RGBA of one tile; where it reaches over the picture's edge, the edge is repeated. */
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

/** Encodes as HEIC, in a grid of tiles like a telephone's; alpha only where there is some. */
export async function writeHeic(pixels: Sharp): Promise<Written> {
  const { data, info } = await pixels.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const raw = { data, width, height, channels: info.channels }
  const [across, down] = [split(width), split(height)]
  const encoder = await openElheif()
  const pairs = Array.from({ length: across.count * down.count }, (_, index) => {
    const [column, row] = [index % across.count, Math.floor(index / across.count)]
    const tile = cut(raw, column * across.length, row * down.length, across.length, down.length)
    return encoder.encode(tile, across.length, down.length)
  })
  const layout = { width, height, columns: across.count, rows: down.count, tileWidth: across.length, tileHeight: down.length }
  const colour: TiledPicture = { ...layout, tiles: pairs.map(({ colour }) => colour) }
  const alpha: TiledPicture = { ...layout, tiles: pairs.map(({ alpha }) => alpha) }
  return { bytes: composeHeic(colour, isOpaque(raw) ? undefined : alpha), width, height }
}
