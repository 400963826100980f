import type { Sharp, SharpOptions } from 'sharp'
import type { Codec, LimitedRange } from '../codecs/codec.ts'
import { profileOf } from '../codecs/icc/profile-of.ts'
import type { RgbSpace } from '../codecs/icc/rgb-space.ts'
import { limits } from '../contract/limits.ts'
import type { WarningName } from '../contract/warnings.ts'
import { fromBitmap, readPixels, toSrgb } from './from-bitmap.ts'
import { type Header, invalidImage } from './header.ts'
import { editFrames, oriented } from './rotate.ts'
import { sharp } from './sharp.ts'

/**
 * 'truncated' refuses files that are cut, and opens 60 of 3,316 real files that the stricter levels refuse for
 * harmless warnings. A second wall behind the header check is the pixel limit of the decoder itself.
 */
const untrusted = {
  autoOrient: true,
  failOn: 'truncated',
  limitInputPixels: limits.pixels,
  limitInputChannels: 5,
  sequentialRead: true,
} as const satisfies SharpOptions

/** How many frames are to be decoded when the answer is written as `target`: the first only, if it cannot move. */
export const framesFor = (header: Header, target: Codec): number => (target.animated ? header.frames : 1)

/**
 * Opens bytes whose header has been checked. libvips decodes when something is written from the pixels; a reader of
 * ours decodes here.
 * @throws ApiError invalid_image
 */
export async function openImage(bytes: Buffer, header: Header, target: Codec): Promise<Image> {
  const frames = framesFor(header, target)
  const warnings = warningsOf(bytes, header, frames)
  const { reader } = header
  if (!reader || header.embedded) {
    // libvips would turn the strip of all frames: each is turned by itself.
    const { orientation = 1 } = header
    const byFrame = frames > 1 && orientation !== 1
    const ignoreIcc = (header.deep && header.profile) || header.limited !== undefined
    const opened = sharp(header.embedded ?? bytes, { ...untrusted, autoOrient: !byFrame, animated: frames > 1, ignoreIcc })
    const turn = (frame: Sharp) => oriented(frame, orientation)
    const pixels = byFrame ? await editFrames({ frames, pixels: opened }, turn).catch(refuse) : opened
    return { source: bytes, header, frames, pixels: await inSrgb(pixels, header).catch(refuse), warnings }
  }
  const { pixels, frames: intact } = await readPixels(reader, bytes, frames).catch(refuse)
  if (intact === frames) return { source: bytes, header, frames, pixels, warnings }
  const shorter = { ...header, frames: intact, delay: header.delay?.slice(0, intact) }
  return { source: bytes, header: shorter, frames: intact, pixels, warnings: [...new Set([...warnings, DAMAGED])] }
}

const DAMAGED: WarningName = 'later_frames_damaged'

/** What an answer made of `frames` frames lacks. */
function warningsOf(bytes: Buffer, { codec, frames: all, warnings = [] }: Header, frames: number): readonly WarningName[] {
  const lacking = frames < all ? 'first_frame_only' : codec.moreInside?.(bytes)
  return [...new Set(lacking ? [lacking, ...warnings] : warnings)]
}

const refuse = (cause: unknown): never => {
  throw invalidImage(cause)
}

/** Pixels whose colours sharp sees to by itself stay undecoded. */
async function inSrgb(pixels: Sharp, { space, deep, profile, grey, limited }: Header): Promise<Sharp> {
  if (space || limited) return decodedIn(pixels, space, limited)
  return deep && profile ? toSrgb(pixels, grey) : pixels
}

/** Decodes the numbers as they are and says what they mean: libvips would take them to be sRGB in full range. */
async function decodedIn(pixels: Sharp, space: RgbSpace | undefined, limited: LimitedRange | undefined): Promise<Sharp> {
  const { icc } = limited ? await pixels.metadata() : {}
  const { data, info } = await pixels.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // One or two channels are grey, which has no primaries.
  if (channels !== 3 && channels !== 4) return pixels.clone()
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  if (limited) stretch(samples, channels, limited)
  const profile = icc ?? (space && profileOf(space))
  return fromBitmap({ width, height, channels, data: samples, ...(profile && { icc: profile }) })
}

/** Black and white of limited range in 16 bits, as libvips makes them: the codes of any depth, followed by zeros. */
const [BLACK, WHITE] = [16 * 256, 235 * 256]

/** From limited to full range, in place. */
function stretch(samples: Uint16Array, channels: 3 | 4, { grey, alpha }: LimitedRange): void {
  const factor = 65_535 / (WHITE - BLACK)
  const [first, last] = [grey ? 0 : 3, alpha ? channels : 3]
  for (let at = 0; at < samples.length; at += channels)
    for (let channel = at + first; channel < at + last; channel++)
      samples[channel] = Math.min(65_535, Math.max(0, Math.round(((samples[channel] ?? 0) - BLACK) * factor)))
}

/**
 * Whether all pixels can be decoded: asked after a failure, to know whose fault it was. Shrunk to one pixel a frame, so
 * that it takes no memory; sharp's stats() would forgive damage that a pipeline does not.
 */
export async function decodes({ source, header, frames }: Image): Promise<boolean> {
  if (header.reader && !header.embedded) return true
  return sharp(header.embedded ?? source, { ...untrusted, animated: frames > 1 })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** An opened image on its way through an operation. */
export interface Image {
  /** The file as it came. */
  readonly source: Buffer
  readonly header: Header
  /** Frames in `pixels`: all of them when the answer moves too, else the first. */
  readonly frames: number
  /** Decodes when it is written, oriented as displayed. */
  readonly pixels: Sharp
  /** What an answer made of the pixels is to warn of. */
  readonly warnings: readonly WarningName[]
}
