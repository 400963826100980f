import { limits } from './contract/limits.ts'
import { decodePng } from './png-decode.ts'
import { sharp } from './sharp.ts'

/**
 * The pixels of a PNG inside another file: 0xAABBGGRR, 8 bits a channel, colours as they are stored; undefined where it is damaged.
 */
export async function rgbaOfPng(png: Buffer): Promise<Uint32Array | undefined> {
  const samples = decodePng(png)
  if (samples?.channels === 3) return withAlpha(samples.data, samples.width * samples.height)
  if (samples) return new Uint32Array(Uint8Array.from(samples.data).buffer)
  const decoding = sharp(png, { failOn: 'truncated', limitInputPixels: limits.pixels, ignoreIcc: true })
  const rgba = await decoding
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer()
    // The caller says what of its file is damaged.
    .catch(() => undefined)
  return rgba && new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4)
}

function withAlpha(samples: Uint8Array, count: number): Uint32Array {
  const pixels = new Uint32Array(count)
  for (let pixel = 0, at = 0; pixel < count; pixel++, at += 3)
    pixels[pixel] =
      0xff000000 | ((samples[at + 2] as number) << 16) | ((samples[at + 1] as number) << 8) | (samples[at] as number)
  return pixels
}
