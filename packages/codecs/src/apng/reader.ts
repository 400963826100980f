import { orientationOf } from '../exif.ts'
import { profileOf } from '../icc-profile.ts'
import { pngContainer } from '../metadata/containers/png.ts'
import { copyCanvas, turnCanvas } from '../pixels/canvas.ts'
import { pngSpace } from '../png-chunks.ts'
import { chunk, colourType, SIGNATURE } from '../png-file.ts'
import { rgbaOfPng } from '../png-rgba.ts'
import { type Bitmap, type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { type Apng, type ApngFrame, CLEAR, eachRow, OVER, RESTORE, type Rectangle, readApng, showsThrough } from './read-apng.ts'

/**
 * Animated PNGs, of which libvips shows the image data alone. Frames have 8 bits a channel, as in browsers. A damaged frame ends the
 * animation.
 */
export const apngReader: Reader = {
  header: async (bytes) => headerOf(bytes),
  decode: (bytes, _decodeJpeg, frames = 1) => decode(bytes, frames),
}

/** The maximum of WebP, and of sharp for every format. */
const MOST_PLAYS = 65_535

const GREY_TYPES: readonly number[] = [colourType.grey, colourType.greyAlpha]
const isGrey = ({ fields }: Apng): boolean => GREY_TYPES.includes(fields.readUInt8(9))

function headerOf(file: Buffer): PictureHeader {
  const apng = animationIn(file)
  const { width, height, fields, frames, plays, isCut } = apng
  const isTurned = orientationIn(file) >= 5
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    alpha: showsThrough(apng),
    grey: isGrey(apng),
    deep: false,
    bitDepth: fields.readUInt8(8),
    frames: frames.length,
    ...(frames.length > 1 && { delay: wholeDelays(frames) }),
    loop: Math.min(plays, MOST_PLAYS),
    ...(isCut && { warnings: ['later_frames_damaged'] }),
  }
}

function animationIn(file: Buffer): Apng {
  const apng = readApng(file)
  if (!apng) throw new UnreadableError('it has no frames')
  return apng
}

function orientationIn(file: Buffer): number {
  const { exif } = pngContainer.read(file)
  return exif ? orientationOf(exif) : 1
}

/** Whole milliseconds, whose sums are those of the fractions: frames of 1/60 s have 17, 16 and 17. */
function wholeDelays(frames: readonly ApngFrame[]): readonly number[] {
  const delays: number[] = []
  let ms = 0
  let end = 0
  for (const { seconds } of frames) {
    end += seconds * 1_000
    const delay = Math.max(0, Math.round(end) - ms)
    delays.push(delay)
    ms += delay
  }
  return delays
}

async function decode(file: Buffer, most: number): Promise<Bitmap> {
  const apng = animationIn(file)
  const { width, height, alpha } = headerOf(file)
  const orientation = orientationIn(file)
  const channels = alpha ? 4 : 3
  const frameBytes = width * height * channels
  const data = new Uint8Array(frameBytes * most)
  let frames = 0
  for await (const canvas of displayedFrames(apng)) {
    copyCanvas(turnCanvas(canvas, apng, orientation), channels, data.subarray(frames * frameBytes))
    frames++
    if (frames === most) break
  }
  if (frames === 0) throw new UnreadableError('the pixels of its first frame are damaged')
  const icc = profileIn(file, apng)
  const strip = { data: data.subarray(0, frames * frameBytes), width, height: height * frames, channels, frames } as const
  return icc ? { ...strip, icc } : strip
}

/** Of a picture in colour: shades of grey have no primaries. */
function profileIn(file: Buffer, apng: Apng): Buffer | undefined {
  if (isGrey(apng)) return undefined
  const { icc } = pngContainer.read(file)
  const space = icc ? undefined : pngSpace(file)
  return icc ?? (space && profileOf(space))
}

/** The canvas as displayed with each frame, 0xAABBGGRR. The array is reused, so copy what is kept. */
async function* displayedFrames(apng: Apng): AsyncGenerator<Uint32Array> {
  const { width, height, frames } = apng
  const canvas = new Uint32Array(width * height)
  for (const [index, frame] of frames.entries()) {
    const pixels = await pixelsOf(apng, frame)
    if (!pixels) return
    // There is nothing under the first frame to which it could be restored.
    const disposal = frame.disposal === RESTORE && index === 0 ? CLEAR : frame.disposal
    const before = disposal === RESTORE ? canvas.slice() : undefined
    if (frame.blend === OVER) layOver(pixels, frame, canvas, width)
    else eachRow(frame, width, (at, from) => canvas.set(pixels.subarray(from, from + frame.width), at))
    yield canvas
    if (disposal === CLEAR) eachRow(frame, width, (at) => canvas.fill(0, at, at + frame.width))
    else if (before) canvas.set(before)
  }
}

/** Decodes a frame as the still picture that it is; undefined where its data is damaged. */
function pixelsOf({ fields, palette }: Apng, { width, height, data }: ApngFrame): Promise<Uint32Array | undefined> {
  const frameFields = Buffer.from(fields)
  frameFields.writeUInt32BE(width, 0)
  frameFields.writeUInt32BE(height, 4)
  const pixelData = chunk('IDAT', Buffer.concat(data))
  const png = Buffer.concat([SIGNATURE, chunk('IHDR', frameFields), ...palette, pixelData, chunk('IEND', Buffer.alloc(0))])
  return rgbaOfPng(png)
}

/** By the operator over of Porter and Duff, on colours that are not multiplied by their alpha (PNG, third edition, 13.16). */
function layOver(pixels: Uint32Array, frame: Rectangle, canvas: Uint32Array, across: number): void {
  eachRow(frame, across, (start, from) => {
    for (let column = 0; column < frame.width; column++) {
      const pixel = pixels[from + column] as number
      const alpha = pixel >>> 24
      const at = start + column
      if (alpha === 255 || (canvas[at] as number) >>> 24 === 0) canvas[at] = pixel
      else if (alpha > 0) canvas[at] = blendColours(pixel, canvas[at] as number)
    }
  })
}

function blendColours(front: number, back: number): number {
  const opacity = front >>> 24
  const weight = opacity * 255
  const backWeight = (255 - opacity) * (back >>> 24)
  const sum = weight + backWeight
  const mix = (shift: number) => Math.round((((front >> shift) & 255) * weight + ((back >> shift) & 255) * backWeight) / sum)
  return (Math.round(sum / 255) << 24) | (mix(16) << 16) | (mix(8) << 8) | mix(0)
}
