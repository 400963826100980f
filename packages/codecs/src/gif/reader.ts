import { copyCanvas } from '../pixels/canvas.ts'
import { type Bitmap, type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { endsWell, extensionsOf } from './blocks.ts'
import { CLEAR, displayedFrames } from './gif-file.ts'
import { type FrameHead, framesOf, headsOf, screenOf } from './read-gif.ts'

/**
 * GIF as browsers show it: pixels that no frame has painted, or that were disposed to the background, are transparent; libvips
 * makes them black or the background colour. A damaged frame ends the animation.
 */
export const gifReader: Reader = {
  header: async (bytes) => headerOf(bytes),
  decode: async (bytes, _decodeJpeg, frames = 1) => decode(bytes, frames),
}

/** Hundredths of a second in milliseconds; libvips' default for a frame without a graphic control. */
const HUNDREDTH = 10
const NO_CONTROL_DELAY = 10

function headerOf(bytes: Buffer): PictureHeader {
  const heads = headsOf(bytes)
  const size = screenOf(bytes)
  if (heads.length === 0 || size.width * size.height === 0)
    throw new UnreadableError('it is cut or damaged before the end of its first frame')
  return {
    ...size,
    alpha: showsThrough(heads, size.width, size.height),
    grey: false,
    deep: false,
    frames: heads.length,
    ...(heads.length > 1 && { delay: heads.map(({ delay = NO_CONTROL_DELAY }) => delay * HUNDREDTH) }),
    loop: playsOf(bytes),
    ...(!endsWell(bytes) && { warnings: ['later_frames_damaged'] }),
  }
}

/** The maximum of WebP, and of sharp for every format. */
const MOST_PLAYS = 65_535

/** Whether a pixel may be transparent: then alpha is kept, whatever the format. */
function showsThrough(heads: readonly FrameHead[], width: number, height: number): boolean {
  const [first] = heads
  const covers = first && first.left === 0 && first.top === 0 && first.width >= width && first.height >= height
  return (
    !covers ||
    heads.some(
      ({ transparent, disposal }, index) => transparent !== undefined || (disposal === CLEAR && index + 1 < heads.length),
    )
  )
}

/**
 * NETSCAPE2.0 contains the number of repetitions; 0 is for ever, and the last of several counts. Without it an animation plays
 * once.
 */
function playsOf(bytes: Buffer): number {
  const repeats = extensionsOf(bytes).findLast((extension) => extension[14] === 3 && ((extension[15] ?? 0) & 7) === 1)
  if (!repeats) return 1
  const count = repeats.readUInt16LE(16)
  return count === 0 ? 0 : Math.min(count + 1, MOST_PLAYS)
}

function decode(bytes: Buffer, most: number): Bitmap {
  const { alpha, ...screen } = headerOf(bytes)
  const pixels = screen.width * screen.height
  const channels = alpha ? 4 : 3
  const data = new Uint8Array(pixels * channels * most)
  let frames = 0
  for (const canvas of displayedFrames({ ...screen, frames: framesOf(bytes) })) {
    copyCanvas(canvas, channels, data.subarray(frames * pixels * channels))
    frames++
    if (frames === most) break
  }
  if (frames === 0) throw new UnreadableError('the pixels of its first frame are damaged')
  return {
    data: data.subarray(0, frames * pixels * channels),
    width: screen.width,
    height: screen.height * frames,
    channels,
    frames,
  }
}
