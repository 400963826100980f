import sharp, { type Sharp } from 'sharp'
import type { Codec } from '../../src/codec.ts'
import type { FormatName } from '../../src/image-formats.ts'
import { codecs } from '../../src/index.ts'

/** Small drawn pictures in which each operation's effect is visible. */

export const solid = (width: number, height: number, background: string): Sharp =>
  sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } })

/** Blurred noise, which compresses like a photograph. */
export const photo = (width = 240, height = 160): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#356', noise: { type: 'gaussian', mean: 120, sigma: 40 } } }).blur(2)

/** Blue, with a red square in the top-left corner. */
export async function withRedCorner(width = 120, height = 80): Promise<Sharp> {
  const corner = await solid(20, 20, '#ff0000').png().toBuffer()
  return sharp(
    await solid(width, height, '#0000ff')
      .composite([{ input: corner, left: 0, top: 0 }])
      .png()
      .toBuffer(),
  )
}

export const FRAMES = ['#ff0000', '#00ff00', '#0000ff'] as const
export const DELAYS = [100, 200, 300]

async function animation(width: number, height: number): Promise<Sharp> {
  const frames = await Promise.all(FRAMES.map((colour) => solid(width, height, colour).png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
}
export const animatedGif = async (width = 120, height = 80): Promise<Buffer> =>
  (await animation(width, height)).gif({ delay: DELAYS, loop: 2 }).toBuffer()
export const animatedWebp = async (width = 120, height = 80): Promise<Buffer> =>
  (await animation(width, height)).webp({ delay: DELAYS, loop: 2, lossless: true }).toBuffer()

/** The same photograph in every accepted format. */
export async function everyFormat(): Promise<Readonly<Record<string, Buffer>>> {
  const source = await photo().png().toBuffer()
  const samples = Object.values<Codec>(codecs)
    .filter(({ name }) => !withOwnTests.includes(name))
    .map(async (codec) => {
      const write = bySharp[codec.name]
      if (write) return [codec.name, await write(sharp(source)).toBuffer()] as const
      return [
        codec.name,
        (await codec.encode(sharp(source), { quality: 95, megapixels: 0.04, animation: undefined })).bytes,
      ] as const
    })
  const all = new Map(await Promise.all(samples))
  const names = [...Object.keys(bySharp), ...all.keys()].filter((name) => all.has(name as FormatName))
  return Object.fromEntries([...new Set(names)].map((name) => [name, all.get(name as FormatName) as Buffer]))
}

/** Formats that sharp does not write, and that have tests of their own. */
const withOwnTests: readonly FormatName[] = ['heic', 'bmp']

/** Samples that are other ones than what the codec writes. */
const bySharp: { readonly [Name in FormatName]?: (image: Sharp) => Sharp } = {
  jpeg: (image) => image.jpeg({ quality: 95 }),
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 95 }),
  gif: (image) => image.gif(),
  tiff: (image) => image.tiff({ compression: 'none' }),
  avif: (image) => image.avif({ quality: 90, effort: 0 }),
}

/** Red, green and blue (0–255) at a point of one frame. */
export async function pixel(bytes: Buffer, x: number, y: number, frame = 0): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes, { page: frame })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
}

/** Whether two colours are equal within the error of lossy compression. */
export const near = (actual: readonly number[], expected: readonly number[], tolerance = 12): boolean =>
  expected.every((value, channel) => Math.abs(value - (actual[channel] ?? Number.NaN)) <= tolerance)
