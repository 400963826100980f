import type { Sharp } from 'sharp'
import type { Image } from './image.ts'
import { sharp } from './sharp.ts'

/**
 * Applies an edit to each frame by itself. libvips holds an animation as one tall strip: it refuses to rotate that,
 * and a blur would bleed from frame to frame. A still image is edited as it is.
 */
export async function editFrames(
  image: Pick<Image, 'frames' | 'pixels'>,
  edit: (frame: Sharp) => Sharp | Promise<Sharp>,
): Promise<Sharp> {
  if (image.frames === 1) return edit(image.pixels)
  const strip = await image.pixels.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const raw = { width: strip.info.width, height: strip.info.height / image.frames, channels: 4 } as const
  const frameBytes = raw.width * raw.height * raw.channels
  const edited: Buffer[] = []
  let size = { width: 0, height: 0 }
  for (let frame = 0; frame < image.frames; frame++) {
    const pixels = sharp(strip.data.subarray(frame * frameBytes, (frame + 1) * frameBytes), { raw })
    const done = await edit(pixels)
    const { data, info } = await done.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    edited.push(data)
    size = info
  }
  return sharp(Buffer.concat(edited), {
    raw: { width: size.width, height: size.height * image.frames, channels: 4, pageHeight: size.height },
    limitInputPixels: false,
    animated: true,
  })
}
