import type { Metadata } from 'sharp'
import type { Codec, LimitedRange, UsualHeader } from '../codec.ts'
import { ImageError } from '../contract/image-errors.ts'
import { limits } from '../contract/limits.ts'
import type { WarningName } from '../contract/warnings.ts'
import { recognise } from '../index.ts'
import { type Reader, UnreadableError } from '../reader.ts'
import type { RgbSpace } from '../rgb-space.ts'
import { sharp } from '../sharp.ts'
import { isSideways } from './rotate.ts'
import type { Size } from './size.ts'

/** What a file's header says, before a pixel is decoded. Width and height are of one frame, as displayed (after EXIF orientation). */
export interface Header {
  readonly codec: Codec
  /** Our own decoder, used instead of libvips. */
  readonly reader: Reader | undefined
  readonly width: number
  readonly height: number
  /** 1 unless the format can be animated. Only the first page of a TIFF is ever opened. */
  readonly frames: number
  /** Milliseconds of each frame, and how often to play (0 means endlessly). */
  readonly delay: number[] | undefined
  readonly loop: number | undefined
  /** EXIF orientation (1–8), already applied to width and height; undefined where our own decoder applies it. */
  readonly orientation?: number
  /** One channel (and perhaps alpha); encoded as one channel if the format can. */
  readonly grey: boolean
  /** More than 8 bits a channel, decoded to 16. */
  readonly deep: boolean
  /** Bits a channel in the file, or of a number of its palette. */
  readonly bitDepth: number
  readonly cmyk: boolean
  /** Decoded by libvips, and has an ICC profile. */
  readonly profile: boolean
  readonly alpha: boolean
  /** A file that libvips can open, embedded in one that it cannot: it is decoded instead. */
  readonly embedded: Buffer | undefined
  /** The colour space, if neither libvips nor our own decoder converts it. */
  readonly space: RgbSpace | undefined
  /** Channels of limited range that libvips does not expand. */
  readonly limited: LimitedRange | undefined
  readonly photograph: boolean
  /** The file with the end that it lacks: it is decoded instead. */
  readonly completed: Buffer | undefined
  /** Warnings about the file, to be sent with the response. */
  readonly warnings?: readonly WarningName[]
}

export const megapixels = (width: number, height: number, frames: number): number => (width * height * frames) / 1e6

/**
 * Reads the header of untrusted bytes.
 * @param codec their format, undefined where it is none of ours
 * @throws ImageError invalid_image_type, invalid_image, image_too_large
 */
export async function readHeader(bytes: Buffer, codec: Codec | undefined = recognise(bytes)): Promise<Header> {
  if (!codec) throw new ImageError('invalid_image_type')
  const excess = codec.excess?.(bytes)
  if (excess) throw new ImageError('image_too_large', { message: `Send a simpler image; it has more than ${excess}.` })
  const completion = codec.completed?.(bytes)
  const whole = completion?.file ?? bytes
  const reader = codec.reader ?? codec.readerOf?.(whole)
  const usual = reader ? undefined : codec.usualHeader?.(whole)
  const description = usual
    ? describeUsual(codec, usual)
    : await (reader ? ownHeader(whole, codec, reader) : libvipsHeader(whole, codec))
  const warnings = [...(description.warnings ?? []), ...(completion?.warning ? [completion.warning] : [])]
  const header = { ...description, photograph: codec.photographIn?.(bytes) ?? false, completed: completion?.file, warnings }
  const { width, height, frames } = header
  const most = codec.maxPixels ?? limits.pixels
  if (frames > limits.frames) throw tooLarge(most, `it has ${frames} frames; at most ${limits.frames} are possible`)
  if (width * height * frames > most) {
    const size = megapixels(width, height, frames).toFixed(1)
    throw tooLarge(most, `it has ${size} megapixels${frames > 1 ? ' over all its frames' : ''}`)
  }
  return header
}

type Described = Omit<Header, 'photograph' | 'completed'>

async function ownHeader(bytes: Buffer, codec: Codec, reader: Reader): Promise<Described> {
  const {
    embedded,
    frames = 1,
    delay,
    loop,
    ...picture
  } = await reader.header(bytes).catch((cause: unknown) => {
    throw invalidImage(cause)
  })
  const still = {
    codec,
    reader,
    frames: 1,
    delay: undefined,
    loop: undefined,
    embedded,
    profile: false,
    space: undefined,
    limited: undefined,
  }
  const samples = { bitDepth: picture.deep ? 16 : 8, cmyk: false }
  if (!embedded) return { ...samples, ...picture, ...still, frames, delay: delay && [...delay], loop }
  // The embedded file is what is decoded, so its header counts.
  const { width, height, alpha, grey, deep, bitDepth, cmyk, profile, space, limited } = await readHeader(embedded)
  return { ...still, width, height, alpha, grey, deep, bitDepth, cmyk, profile, space, limited }
}

async function libvipsHeader(bytes: Buffer, codec: Codec): Promise<Described> {
  if (codec.isOther?.(bytes)) throw new ImageError('invalid_image_type')
  // No pixel limit here: sharp's error could not be distinguished from that of a damaged file. Nothing is decoded yet.
  const metadata = await sharp(bytes, { limitInputPixels: false, failOn: 'none' })
    .metadata()
    .catch((cause: unknown) => {
      throw invalidImage(cause)
    })
  const space = metadata.icc ? undefined : codec.spaceOf?.(bytes)
  return { ...describe(codec, metadata), space, limited: codec.limitedRangeOf?.(bytes) }
}

function describe(codec: Codec, metadata: Metadata): Omit<Described, 'space' | 'limited'> {
  const { width, height } = codec.animated ? frameSize(metadata) : metadata.autoOrient
  return {
    codec,
    reader: undefined,
    width,
    height,
    orientation: metadata.orientation ?? 1,
    frames: codec.animated ? (metadata.pages ?? 1) : 1,
    delay: metadata.delay,
    loop: metadata.loop,
    grey: metadata.space === 'b-w' || metadata.space === 'grey16',
    alpha: metadata.hasAlpha,
    deep: metadata.depth === 'ushort' && metadata.space !== 'cmyk',
    bitDepth: metadata.bitsPerSample ?? (metadata.depth === 'uchar' ? 8 : 16),
    cmyk: metadata.space === 'cmyk',
    profile: metadata.icc !== undefined,
    embedded: undefined,
  }
}

function describeUsual(codec: Codec, { width, height, orientation, grey, profile }: UsualHeader): Described {
  const isTurned = isSideways(orientation)
  return {
    codec,
    reader: undefined,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
    frames: 1,
    delay: undefined,
    loop: undefined,
    grey,
    alpha: false,
    deep: false,
    bitDepth: 8,
    cmyk: false,
    profile,
    embedded: undefined,
    space: undefined,
    limited: undefined,
  }
}

/** Of one frame, as displayed. sharp's `autoOrient` is the size of the whole strip. */
function frameSize({ width, height, pageHeight = height, orientation = 1 }: Metadata): Size {
  return isSideways(orientation) ? { width: pageHeight, height: width } : { width, height: pageHeight }
}

const tooLarge = (pixels: number, why: string) =>
  new ImageError('image_too_large', { message: `Send an image of at most ${pixels / 1e6} megapixels; ${why}.` })

/** The error for a damaged file. Our own decoders' sentences are sent to the caller; those of libraries are only logged. */
export const invalidImage = (cause: unknown): ImageError =>
  cause instanceof UnreadableError
    ? new ImageError('invalid_image', { message: `The image cannot be read: ${cause.message}.`, cause })
    : new ImageError('invalid_image', { cause })
