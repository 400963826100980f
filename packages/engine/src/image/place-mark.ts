import type { Size } from '@pixelmill/codecs/pixels/size'
import { canvas, sharp } from '@pixelmill/codecs/sharp'
import type { OverlayOptions, Sharp } from 'sharp'
import { type MarkPlace, markCorner } from '../recipe/mark-places.ts'
import type { RawPixels } from './read-watermark.ts'

export interface Placing extends MarkPlace {
  /** Repeated over all of the base. */
  readonly tile: boolean
  /** Between the repetitions, as a share of the mark's width. */
  readonly spacing: number
}

/** RGBA pixels that are laid over a picture: at a corner, or repeated from its top-left corner on. */
export interface Overlay extends OverlayOptions {
  readonly input: Buffer
  readonly raw: RawPixels['raw']
}

/** How opaque an overlay is at each place of its picture, 0 to 1. */
export function opacityOf({ input, raw: { width, height }, tile = false, left = 0, top = 0 }: Overlay) {
  return (x: number, y: number): number => {
    const column = Math.floor(x) - left
    const row = Math.floor(y) - top
    if (tile) return alphaAt(column % width, row % height)
    return column < 0 || row < 0 || column >= width || row >= height ? 0 : alphaAt(column, row)
  }
  function alphaAt(column: number, row: number): number {
    return (input[(row * width + column) * 4 + 3] ?? 0) / 255
  }
}

/** The overlay of a mark for a base, each frame of which gets it. */
export async function overlayOf(mark: RawPixels, base: Size, frames: number, placing: Placing): Promise<Overlay> {
  if (placing.tile) return tileMark(mark, base, frames, placing.spacing)
  const overlay = { input: mark.data, raw: mark.raw, ...markCorner(base, mark.raw, placing) }
  return frames === 1 ? overlay : everyFrame(base, overlay)
}

async function tileMark({ data, raw }: RawPixels, base: Size, frames: number, spacing: number): Promise<Overlay> {
  const gap = Math.round(spacing * raw.width)
  const size = { width: Math.min(base.width, raw.width + gap), height: Math.min(base.height, raw.height + gap) }
  // The compositor refuses a tile that is larger than the base.
  const spacedMark = await pixelsOf(sharp(data, { raw }).extend({ right: gap, bottom: gap, background: '#00000000' }))
  const { data: tile } = await pixelsOf(sharp(spacedMark.data, { raw: spacedMark.raw }).extract({ left: 0, top: 0, ...size }))
  const repetition = {
    input: tile,
    raw: { ...size, channels: 4 },
    tile: true,
    gravity: 'northwest',
  } as const
  return frames === 1 ? repetition : everyFrame(base, repetition)
}

/** libvips holds an animation as one tall strip: a transparent overlay of the frame's size, tiled vertically, marks each frame. */
async function everyFrame({ width, height }: Size, overlay: Overlay): Promise<Overlay> {
  const sheet = canvas(width, height, '#00000000').composite([overlay])
  return { input: await sheet.raw().toBuffer(), raw: { width, height, channels: 4 }, tile: true, gravity: 'northwest' }
}

/** Turned clockwise, and made to fit into the base. */
export async function turnMark({ data, raw }: RawPixels, degrees: number, base: Size): Promise<RawPixels> {
  const isUpright = degrees % 360 === 0
  const mark = isUpright ? { data, raw } : await pixelsOf(sharp(data, { raw }).rotate(degrees, { background: '#00000000' }))
  if (mark.raw.width <= base.width && mark.raw.height <= base.height) return mark
  return pixelsOf(sharp(mark.data, { raw: mark.raw }).resize({ ...base, fit: 'inside' }))
}

/** With its transparency multiplied. */
export const fadeMark = ({ data, raw }: RawPixels, opacity: number): RawPixels => ({
  raw,
  data: opacity === 1 ? data : (data.map((level, at) => (at % 4 === 3 ? Math.round(level * opacity) : level)) as Buffer),
})

async function pixelsOf(pipeline: Sharp): Promise<RawPixels> {
  const { data, info } = await pipeline.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, raw: { width: info.width, height: info.height, channels: 4 } }
}
