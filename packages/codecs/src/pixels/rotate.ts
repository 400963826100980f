import type { Sharp } from 'sharp'
import { sharp } from '../sharp.ts'

/** What the corners become that a turn opens up. */
interface Corners {
  readonly background: string
  /** Whether the result has transparency. */
  readonly alpha: boolean
}

/**
 * Rotates clockwise by 0–360 degrees. Quarter turns are lossless and stay in the
 * pipeline. Any other angle is rendered first: sharp would apply a later resize before it.
 */
export async function rotate(pixels: Sharp, degrees: number, { background, alpha }: Corners): Promise<Sharp> {
  if (degrees % 360 === 0) return pixels
  if (degrees % 90 === 0) return pixels.rotate(degrees)
  const inColour = pixels.toColourspace('srgb')
  const turnedFrame = (alpha ? inColour.ensureAlpha() : inColour).rotate(degrees, { background })
  const { data, info } = await turnedFrame.raw().toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels }, limitInputPixels: false })
}

/** How to undo each EXIF orientation (2–8). sharp mirrors before it rotates, in whatever order they are called. */
const corrections: Readonly<Record<number, (frame: Sharp) => Sharp>> = {
  2: (frame) => frame.flop(),
  3: (frame) => frame.rotate(180),
  4: (frame) => frame.flip(),
  5: (frame) => frame.rotate(90).flip(),
  6: (frame) => frame.rotate(90),
  7: (frame) => frame.rotate(90).flop(),
  8: (frame) => frame.rotate(270),
}

/** Turns a picture with this EXIF orientation upright. */
export const orientFrame = (frame: Sharp, orientation: number): Sharp => corrections[orientation]?.(frame) ?? frame

/** Whether this EXIF orientation swaps width and height. */
export const isSideways = (orientation: number): boolean => orientation >= 5

/**
 * Applies an edit to each frame separately. libvips holds an animation as one tall strip: it refuses to rotate that, and a
 * blur would bleed from frame to frame. A still image is edited directly.
 */
export async function editFrames(
  image: { readonly frames: number; readonly pixels: Sharp },
  edit: (frame: Sharp) => Sharp | Promise<Sharp>,
): Promise<Sharp> {
  if (image.frames === 1) return edit(image.pixels)
  const strip = await image.pixels.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const raw = { width: strip.info.width, height: strip.info.height / image.frames, channels: 4 } as const
  const frameBytes = raw.width * raw.height * raw.channels
  const parts: Buffer[] = []
  let size = { width: 0, height: 0 }
  for (let frame = 0; frame < image.frames; frame++) {
    const pixels = sharp(strip.data.subarray(frame * frameBytes, (frame + 1) * frameBytes), { raw })
    const part = await edit(pixels)
    const { data, info } = await part.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    parts.push(data)
    size = info
  }
  return sharp(Buffer.concat(parts), {
    raw: { width: size.width, height: size.height * image.frames, channels: 4, pageHeight: size.height },
    limitInputPixels: false,
    animated: true,
  })
}
