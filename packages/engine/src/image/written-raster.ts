import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { readPixels } from '@pixelmill/codecs/pixels/from-bitmap'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { sharp } from '@pixelmill/codecs/sharp'
import { restack, simultaneousFrames } from '@pixelmill/vision/likeness/similarity'
import type { Sharp } from 'sharp'

/** The frames of a picture that was written. */
interface Frames {
  readonly frames: number
  /** Milliseconds of each. */
  readonly delays: readonly number[]
  /** The colours are in the space of the file's profile, and stay in it. */
  readonly keepsColours: boolean
}

/**
 * The pixels of a file that we have written ourselves, as a viewer shows them: of an animation, what is shown at the time of each frame that
 * was written; undefined where frames do not correspond.
 */
export async function writtenRaster(
  bytes: Buffer,
  { reader }: Codec,
  { frames, delays, keepsColours }: Frames,
): Promise<Raster | undefined> {
  if (reader) {
    const ownPixels = await readPixels(reader, bytes, frames, keepsColours)
    return ownPixels.frames === frames ? rasterOf(ownPixels.pixels) : undefined
  }
  const image = sharp(bytes, { limitInputPixels: limits.pixels, animated: frames > 1 })
  const strip = await rasterOf(image)
  if (frames === 1) return strip
  const { pages = 1, delay = [] } = await image.metadata()
  // Equal numbers of frames correspond one to one whatever their delays: each format rounds delays in its own way.
  if (pages === frames) return strip
  const order = simultaneousFrames(delays, delay)
  return order && restack(strip, pages, order)
}

async function rasterOf(image: Sharp): Promise<Raster> {
  const { data, info } = await image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}
