import type { Bitmap } from '@pixelmill/codecs/reader'

/** Samples of one channel, rows from the top; 0–255 is the visible range, whatever the depth of the file. */
export type Plane = Float32Array

/** Part of a picture, as planes of floats. */
export interface Tile {
  readonly width: number
  readonly height: number
  /**
   * One plane for grey, else one of brightness and two of colour. The transform is orthonormal, so noise is as strong in each
   * plane as in red, green and blue, and adding to the first adds equally to all three.
   */
  readonly planes: readonly [Plane, ...Plane[]]
  readonly alpha: Plane | undefined
}

/** Divides the first of three planes to give brightness of 0–255. */
export const LIGHT_SCALE = Math.sqrt(3)

const R2 = Math.SQRT1_2
const R3 = 1 / Math.sqrt(3)
const R6 = 1 / Math.sqrt(6)

/** Divides a sample of this depth to give 0–255. */
const unit = (data: Bitmap['data']): number => (data.BYTES_PER_ELEMENT === 2 ? 257 : 1)

/** Part of a picture, in pixels. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Reads an area of a picture; of a grey one only the first channel. */
export function readTile(picture: Bitmap, grey: boolean, area: Area): Tile {
  const { width, height } = area
  const alpha = picture.channels === 4 ? channelOf(picture, area, 3) : undefined
  const planes = grey ? ([channelOf(picture, area, 0)] as const) : opponents(picture, area)
  return { width, height, planes, alpha }
}

function channelOf({ data, width: across, channels }: Bitmap, { left, top, width, height }: Area, channel: number): Plane {
  const plane = new Float32Array(width * height)
  const scale = 1 / unit(data)
  for (let y = 0, i = 0; y < height; y++) {
    let at = ((top + y) * across + left) * channels + channel
    for (const end = i + width; i < end; i++, at += channels) plane[i] = (data[at] as number) * scale
  }
  return plane
}

function opponents({ data, width: across, channels }: Bitmap, { left, top, width, height }: Area): [Plane, Plane, Plane] {
  const pixels = width * height
  const light = new Float32Array(pixels)
  const redBlue = new Float32Array(pixels)
  const green = new Float32Array(pixels)
  const scale = 1 / unit(data)
  for (let y = 0, i = 0; y < height; y++) {
    let at = ((top + y) * across + left) * channels
    for (const end = i + width; i < end; i++, at += channels) {
      const r = data[at] as number
      const g = data[at + 1] as number
      const b = data[at + 2] as number
      light[i] = (r + g + b) * R3 * scale
      redBlue[i] = (r - b) * R2 * scale
      green[i] = (r - 2 * g + b) * R6 * scale
    }
  }
  return [light, redBlue, green]
}

/**
 * Writes an area of a tile to a picture, rounded and clamped to the range of its depth.
 * @param to where the area begins in the picture
 */
export function writeTile(tile: Tile, area: Area, out: Bitmap, to: Pick<Area, 'left' | 'top'>): void {
  for (let row = 0; row < area.height; row++) {
    const from = (area.top + row) * tile.width + area.left
    writeRow(tile, from, area.width, out, ((to.top + row) * out.width + to.left) * out.channels)
  }
}

function writeRow({ planes, alpha }: Tile, from: number, pixels: number, { data, channels }: Bitmap, to: number): void {
  const scale = unit(data)
  const most = 255 * scale
  const clampSample = (value: number) => (value <= 0 ? 0 : value >= 255 ? most : value * scale + 0.5)
  const [light, redBlue, green] = planes
  for (let i = from, at = to; i < from + pixels; i++, at += channels) {
    const opacity = alpha ? clampSample(alpha[i] as number) : most
    if (channels === 4) data[at + 3] = opacity
    // Fully transparent pixels become black: any other colour would only cost bytes.
    const y = opacity < 1 ? 0 : (light[i] as number)
    if (!redBlue || !green || opacity < 1) {
      data[at] = data[at + 1] = data[at + 2] = clampSample(y)
      continue
    }
    const a = y * R3
    const u = (redBlue[i] as number) * R2
    const v = (green[i] as number) * R6
    data[at] = clampSample(a + u + v)
    data[at + 1] = clampSample(a - 2 * v)
    data[at + 2] = clampSample(a - u + v)
  }
}
