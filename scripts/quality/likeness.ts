import sharp, { type Sharp } from 'sharp'
import { ssim } from '../../src/image/ssim.ts'
import { lumaOf, type Photograph } from './photographs.ts'

/** Encodes pixels and decodes them again, as users of the encoder would see them. */
export type RoundTrip = (pixels: Sharp, photograph: Photograph) => Promise<Seen>

export interface Seen {
  readonly bytes: number
  readonly image: Sharp
}

export interface Likeness {
  readonly ssim: number
  /** Average of one photograph. */
  readonly bytes: number
}

/** Mean SSIM of luma over photographs after a round trip. */
export async function likeness(photographs: readonly Photograph[], roundTrip: RoundTrip): Promise<Likeness> {
  const sum = { ssim: 0, bytes: 0 }
  for (const photograph of photographs) {
    const { bytes, image } = await roundTrip(sharp(photograph.pixels), photograph)
    const [{ luma, width, height }, seen] = [photograph, await lumaOf(image)]
    sum.ssim += ssim({ data: luma, width, height, channels: 1 }, { data: seen, width, height, channels: 1 })
    sum.bytes += bytes
  }
  return { ssim: sum.ssim / photographs.length, bytes: sum.bytes / photographs.length }
}
