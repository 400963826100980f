import type { Sharp } from 'sharp'
import { sharp } from './sharp.ts'

const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 }

/**
 * Turns clockwise by degrees, 0–360; the corners that open are transparent. Quarter turns are lossless and stay in the
 * pipeline. Any other angle is finished first: sharp would apply a later resize before it, to the picture not yet turned.
 */
export async function rotate(pixels: Sharp, degrees: number): Promise<Sharp> {
  if (degrees % 360 === 0) return pixels
  if (degrees % 90 === 0) return pixels.rotate(degrees)
  const turned = pixels.toColourspace('srgb').ensureAlpha().rotate(degrees, { background: TRANSPARENT })
  const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels }, limitInputPixels: false })
}

/** EXIF orientation (2–8) undone: sharp mirrors before it turns, in whatever order it is asked. */
const undone: Readonly<Record<number, (frame: Sharp) => Sharp>> = {
  2: (frame) => frame.flop(),
  3: (frame) => frame.rotate(180),
  4: (frame) => frame.flip(),
  5: (frame) => frame.rotate(90).flip(),
  6: (frame) => frame.rotate(90),
  7: (frame) => frame.rotate(90).flop(),
  8: (frame) => frame.rotate(270),
}

/** A picture as it is to be displayed. */
export const oriented = (frame: Sharp, orientation: number): Sharp => undone[orientation]?.(frame) ?? frame

/** Whether width and height change places. */
export const isSideways = (orientation: number): boolean => orientation >= 5

/**
 * Applies an edit to each frame by itself. libvips holds an animation as one tall strip: it refuses to rotate that,
 * and a blur would bleed from frame to frame. A still image is edited as it is.
 */
export async function editFrames(
  image: { readonly frames: number; readonly pixels: Sharp },
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
