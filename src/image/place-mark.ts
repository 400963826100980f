import type { OverlayOptions, Sharp } from 'sharp'
import type { RawPixels } from './read-watermark.ts'
import { canvas, sharp } from './sharp.ts'
import type { Size } from './size.ts'

/** Positions of a mark as shares of the free space: 0 is left or top, 1 is right or bottom. */
export const places = {
  'top-left': [0, 0],
  top: [0.5, 0],
  'top-right': [1, 0],
  left: [0, 0.5],
  center: [0.5, 0.5],
  right: [1, 0.5],
  'bottom-left': [0, 1],
  bottom: [0.5, 1],
  'bottom-right': [1, 1],
} as const satisfies Readonly<Record<string, readonly [across: number, down: number]>>

export interface Placing {
  readonly position: keyof typeof places
  /** Distance from the edges, as a share of the base's shorter side. */
  readonly margin: number
  /** Repeated over all of the base. */
  readonly tile: boolean
  /** Between the repetitions, as a share of the mark's width. */
  readonly spacing: number
}

/** The overlay of a mark for a base, each frame of which gets it. */
export async function overlayOf(mark: RawPixels, base: Size, frames: number, placing: Placing): Promise<OverlayOptions> {
  if (placing.tile) return tiled(mark, base, frames, placing.spacing)
  const overlay = { input: mark.data, raw: mark.raw, ...corner(base, mark.raw, placing) }
  return frames === 1 ? overlay : everyFrame(base, overlay)
}

function corner(base: Size, mark: Size, { position, margin }: Placing) {
  const [across, down] = places[position]
  const edge = margin * Math.min(base.width, base.height)
  const along = (free: number, share: number) => {
    const inset = Math.min(edge, free / 2)
    return Math.round(inset + (free - 2 * inset) * share)
  }
  return { left: along(base.width - mark.width, across), top: along(base.height - mark.height, down) }
}

async function tiled({ data, raw }: RawPixels, base: Size, frames: number, spacing: number): Promise<OverlayOptions> {
  const gap = Math.round(spacing * raw.width)
  const size = { width: Math.min(base.width, raw.width + gap), height: Math.min(base.height, raw.height + gap) }
  // The compositor refuses a tile that is larger than the base.
  const spaced = await pixelsOf(sharp(data, { raw }).extend({ right: gap, bottom: gap, background: '#00000000' }))
  const { data: tile } = await pixelsOf(sharp(spaced.data, { raw: spaced.raw }).extract({ left: 0, top: 0, ...size }))
  const repeated = {
    input: tile,
    raw: { ...size, channels: 4 },
    tile: true,
    gravity: 'northwest',
  } as const
  return frames === 1 ? repeated : everyFrame(base, repeated)
}

/** libvips holds an animation as one tall strip: a transparent overlay of the frame's size, tiled vertically, marks each frame. */
async function everyFrame({ width, height }: Size, overlay: OverlayOptions): Promise<OverlayOptions> {
  const sheet = canvas(width, height, '#00000000').composite([overlay])
  return { input: await sheet.raw().toBuffer(), raw: { width, height, channels: 4 }, tile: true, gravity: 'northwest' }
}

/** Turned clockwise, and made to fit into the base. */
export async function turned({ data, raw }: RawPixels, degrees: number, base: Size): Promise<RawPixels> {
  const isUpright = degrees % 360 === 0
  const mark = isUpright ? { data, raw } : await pixelsOf(sharp(data, { raw }).rotate(degrees, { background: '#00000000' }))
  if (mark.raw.width <= base.width && mark.raw.height <= base.height) return mark
  return pixelsOf(sharp(mark.data, { raw: mark.raw }).resize({ ...base, fit: 'inside' }))
}

/** With its transparency multiplied. */
export const faded = ({ data, raw }: RawPixels, opacity: number): RawPixels => ({
  raw,
  data: opacity === 1 ? data : (data.map((level, at) => (at % 4 === 3 ? Math.round(level * opacity) : level)) as Buffer),
})

async function pixelsOf(pipeline: Sharp): Promise<RawPixels> {
  const { data, info } = await pipeline.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, raw: { width: info.width, height: info.height, channels: 4 } }
}
