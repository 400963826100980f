import type { Sharp, SharpOptions } from 'sharp'
import type { Codec, LimitedRange } from '../codec.ts'
import { limits } from '../contract/limits.ts'
import type { WarningName } from '../contract/warnings.ts'
import { profileOf } from '../icc-profile.ts'
import { readBlocks } from '../metadata/read-blocks.ts'
import { type ColourSamples, UnreadableError } from '../reader.ts'
import type { RgbSpace } from '../rgb-space.ts'
import { sharp } from '../sharp.ts'
import { fromBitmap, isRgb, readPixels, toSrgb } from './from-bitmap.ts'
import { type Header, invalidImage } from './header.ts'
import { editFrames, orientFrame } from './rotate.ts'
import { sampleTable } from './sample-table.ts'

/** An opened image, the input of every task. */
export interface Image {
  /** The uploaded file. */
  readonly source: Buffer
  readonly header: Header
  /** Frames in `pixels`: all of them if the output is animated too, else 1. */
  readonly frames: number
  /** A pipeline that decodes when it runs; oriented as displayed. */
  readonly pixels: Sharp
  /**
   * Decodes what `pixels` would give, faster; undefined of a file about which libvips decides. Only while nothing has been added to
   * `pixels`: whoever adds to them leaves it out.
   */
  readonly samples?: (() => ColourSamples | undefined) | undefined
  /** The profile of the pixels, where they are not in sRGB. */
  readonly icc?: Buffer
  /** Warnings for an output made of these pixels. */
  readonly warnings: readonly WarningName[]
}

/**
 * 'truncated' refuses files that are cut off, and opens 60 of 3,316 real files that the stricter levels refuse for
 * harmless warnings. The decoder's own pixel limit backs up the header check.
 */
export const untrustedOptions = {
  autoOrient: true,
  failOn: 'truncated',
  limitInputPixels: limits.pixels,
  limitInputChannels: 5,
  sequentialRead: true,
} as const satisfies SharpOptions

/** What an image is opened for. */
export type Opening = Pick<Codec, 'animated'>

/** For what shows no animations: a task of one picture, whatever format it writes. */
export const forOneFrame: Opening = { animated: false }

/** How many frames to decode for an output in `target`: only the first, if that format cannot be animated. */
export const framesFor = (header: Header, target: Opening): number => (target.animated ? header.frames : 1)

/** Whether colours are converted to sRGB, or kept with their ICC profile. */
export type Colours = 'srgb' | 'keep'

/**
 * Opens bytes whose header has been checked. libvips decodes later, when the pipeline runs; our own decoders decode here.
 * @throws ImageError invalid_image
 */
export async function openImage(bytes: Buffer, header: Header, target: Opening, colours: Colours = 'srgb'): Promise<Image> {
  const frames = framesFor(header, target)
  const warnings = warningsOf(bytes, header, frames)
  const { reader, completed = bytes } = header
  const test = header.completed && header.codec.rowsTest?.(header.completed)
  if (test) await ensureAllRows(test)
  if (!reader || header.embedded) {
    const icc = colours === 'keep' ? keptProfile(bytes, header) : undefined
    // libvips would rotate the whole strip of frames: each frame is rotated separately.
    const { orientation = 1 } = header
    const byFrame = frames > 1 && orientation !== 1
    const ignoreIcc = icc !== undefined || (header.deep && header.profile) || header.limited !== undefined
    const decoding = sharp(header.embedded ?? completed, {
      ...untrustedOptions,
      autoOrient: !byFrame,
      animated: frames > 1,
      ignoreIcc,
    })
    const orient = (frame: Sharp) => orientFrame(frame, orientation)
    const pixels = byFrame ? await editFrames({ frames, pixels: decoding }, orient).catch(refuse) : decoding
    const image = { source: bytes, header, frames, warnings }
    if (icc) return { ...image, pixels, icc }
    const samples = isPlain(header, frames) ? () => header.codec.samplesOf?.(completed) : undefined
    return { ...image, pixels: await inSrgb(pixels, header).catch(refuse), samples }
  }
  const keeps = colours === 'keep' && !header.grey
  const { frames: intact, ...read } = await readPixels(reader, completed, frames, keeps).catch(refuse)
  if (intact === frames) return { source: bytes, header, frames, warnings, ...read }
  const shorter = { ...header, frames: intact, delay: header.delay?.slice(0, intact) }
  return { source: bytes, header: shorter, frames: intact, warnings: [...new Set([...warnings, DAMAGED])], ...read }
}

/** Whether the samples of a file are those of the picture: upright, of 8 bits, in sRGB, and not those of frames or another file. */
function isPlain({ orientation = 1, deep, profile, space, limited, embedded }: Header, frames: number): boolean {
  return orientation === 1 && frames === 1 && !deep && !profile && !space && !limited && !embedded
}

/** The profile of pixels that can stay in its space: RGB, since few formats hold CMYK, and grey files are small anyway. */
function keptProfile(bytes: Buffer, { codec, grey, cmyk, limited }: Header): Buffer | undefined {
  const { icc } = grey || cmyk || limited ? {} : readBlocks(bytes, codec)
  return icc && isRgb(icc) ? icc : undefined
}

const DAMAGED: WarningName = 'later_frames_damaged'

/**
 * Bytes of a JPEG that belong to no row are no loss; any other warning that comes first may hide that of missing rows.
 * @throws ImageError invalid_image
 */
async function ensureAllRows(test: Buffer): Promise<void> {
  await toOnePixel(test, { ...untrustedOptions, failOn: 'warning' }).catch((cause: unknown) => {
    if (cause instanceof Error && cause.message.includes('extraneous bytes before marker 0xd9')) return
    throw invalidImage(new UnreadableError('it ends before its pixels do', { cause }))
  })
}

const toOnePixel = (bytes: Buffer, options: SharpOptions): Promise<Buffer> =>
  sharp(bytes, options).resize(1, 1, { fit: 'fill' }).raw().toBuffer()

/** What an output with `frames` frames leaves out. */
function warningsOf(bytes: Buffer, { codec, frames: all, warnings = [] }: Header, frames: number): readonly WarningName[] {
  const lacking = frames < all ? 'first_frame_only' : codec.moreInside?.(bytes)
  return [...new Set(lacking ? [lacking, ...warnings] : warnings)]
}

const refuse = (cause: unknown): never => {
  throw invalidImage(cause)
}

/** Decodes only where sharp does not convert the colours correctly by itself. */
async function inSrgb(pixels: Sharp, { space, deep, profile, grey, limited }: Header): Promise<Sharp> {
  if (space || limited) return decodedIn(pixels, space, limited)
  return deep && profile ? toSrgb(pixels, grey) : pixels
}

/** Decodes without conversion and attaches the right profile: libvips would take the samples to be sRGB in full range. */
async function decodedIn(pixels: Sharp, space: RgbSpace | undefined, range: LimitedRange | undefined): Promise<Sharp> {
  const { icc } = range ? await pixels.metadata() : {}
  const { data, info } = await pixels.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // One or two channels are grey, and grey has no primaries.
  if (channels !== 3 && channels !== 4) return pixels.clone()
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  if (range) stretch(samples, channels, range)
  const profile = icc ?? (space && profileOf(space))
  return fromBitmap({ width, height, channels, data: samples, ...(profile && { icc: profile }) })
}

/** Black and white of limited range as libvips widens them to 16 bits: codes of any depth, padded with zeros. */
const BLACK = 16 * 256
const WHITE = 235 * 256

/** Expands limited to full range, in place. */
function stretch(samples: Uint16Array, channels: 3 | 4, { grey, alpha }: LimitedRange): void {
  const factor = 65_535 / (WHITE - BLACK)
  const fullRange = sampleTable(65_536, (sample) => Math.min(65_535, Math.max(0, Math.round((sample - BLACK) * factor))))
  const first = grey ? 0 : 3
  const last = alpha ? channels : 3
  for (let at = 0; at < samples.length; at += channels)
    for (let channel = at + first; channel < at + last; channel++)
      samples[channel] = fullRange[samples[channel] as number] as number
}

/**
 * Whether all pixels can be decoded. Called after a failure, to distinguish a damaged file from an error of ours. Shrinks to one
 * pixel a frame, to save memory; sharp's stats() would tolerate damage that a pipeline does not.
 */
export async function decodes({ source, header, frames }: Image): Promise<boolean> {
  if (header.reader && !header.embedded) return true
  return toOnePixel(header.embedded ?? header.completed ?? source, { ...untrustedOptions, animated: frames > 1 }).then(
    () => true,
    () => false,
  )
}
