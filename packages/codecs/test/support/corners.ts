import sharp, { type Sharp } from 'sharp'
import { near } from './pictures.ts'

/** A picture with a different colour in each corner, so that every rotation and reflection looks different. */

const colours = { R: [230, 40, 40], G: [40, 200, 60], B: [50, 60, 220], W: [240, 240, 240] } as const
type Letter = keyof typeof colours

/** Red and green above, blue and white below; sides must be even. */
export function corners(width = 64, height = 48): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const letter: Letter = y < height / 2 ? (x < width / 2 ? 'R' : 'G') : x < width / 2 ? 'B' : 'W'
      data.set(colours[letter], (y * width + x) * 3)
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

interface Interleaved {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array | Uint16Array
}

/** Red, green, blue (and alpha) at a point, as 0–255. */
export function at({ width, channels, data }: Interleaved, x: number, y: number): readonly number[] {
  const first = (y * width + x) * channels
  const full = data.BYTES_PER_ELEMENT === 1 ? 1 : 257
  return Array.from(data.subarray(first, first + channels), (value) => value / full)
}

/** The initials of the colours in the four corners, row by row: RGBW as drawn, ? for another colour. */
export function cornersOf(picture: Interleaved): string {
  const { width, height } = picture
  const left = width >> 2
  const right = width - 1 - (width >> 2)
  const top = height >> 2
  const bottom = height - 1 - (height >> 2)
  const places = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ] as const
  const letter = (x: number, y: number) =>
    Object.entries(colours).find(([, colour]) => near(at(picture, x, y), colour, 10))?.[0] ?? '?'
  return places.map(([x, y]) => letter(x, y)).join('')
}
