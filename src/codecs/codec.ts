import type { Sharp } from 'sharp'
import type { WarningName } from '../contract/warnings.ts'
import type { FormatName, ImageFormat } from '../web/image-formats.ts'
import type { Reader } from './reader.ts'
import type { RgbSpace } from './rgb-space.ts'

export interface EncodeSettings {
  /** 1–100 on one scale for the eye; undefined when the caller named none: the format's own default. */
  readonly quality: number | undefined
  /** Megapixels to be encoded, all frames counted: effort follows from it. */
  readonly megapixels: number
  /** The pixels have an alpha channel. */
  readonly alpha?: boolean
  readonly animation: Animation | undefined
  /** The source has at most 256 colours a frame: written without loss it is often smaller, and keeps them. */
  readonly fewColours?: boolean
}

export interface OptimizeSettings extends EncodeSettings {
  readonly quality: number
  /** Has no transparency and 8 bits a channel: what a JPEG inside another format can hold. */
  readonly plain: boolean
  /** Has 16 bits a channel, which are to stay. */
  readonly deep: boolean
  /** The file as it came, without its metadata where they can be dropped; undefined where it was of another format. */
  readonly source: Written | undefined
}

/** How frames follow each other: milliseconds of each, and how often to play (0 is for ever). */
export interface Animation {
  readonly delay?: number[]
  readonly loop?: number
}

/** Many ways to write the pixels, by a number of the encoder's own: a higher level looks more like the source, in more bytes. */
export interface Graded {
  /** Where to begin, and how far to go from there at first. */
  readonly levels: { readonly min: number; readonly guess: number; readonly max: number; readonly step: number }
  /** How many levels may be tried: what the time allows at this size. */
  readonly tries: number
  write(level: number): Promise<Written>
  /** The same pixels in fewer bytes, for the level that was chosen. */
  polish?(written: Written): Promise<Written>
}

/** One way to write the pixels, not begun yet, which hears how many bytes it has to beat and may give up; or many. */
export type Attempt = ((toBeat: number) => Promise<Written | undefined>) | Graded

/** Channels in which black is 16 and white 235 of 8 bits. */
export interface LimitedRange {
  readonly grey: boolean
  readonly alpha: boolean
}

/** One image format, as data. What a format can do is asked of its row, never with `if (format === …)`. */
export interface Codec extends ImageFormat {
  readonly name: FormatName
  readonly alpha: boolean
  readonly animated: boolean
  /** Its frames have at most 256 colours. */
  readonly fewColours?: true
  /** 16 bits a channel survive the operations that keep the format. */
  readonly deep: boolean
  /** Longest side in pixels that the encoder writes. */
  readonly maxSide: number
  /** Pixels of an image with transparency that the encoder writes within a renderer's memory, where these are fewer than without. */
  readonly maxAlphaPixels?: number
  /** Whether a file begins like this format; `head` is its first 64 bytes or fewer. */
  matches(head: Buffer): boolean
  /**
   * What a file has more of than a decoder is given, such as `100 scans`: counted without decoding, in a few milliseconds for
   * the largest file; undefined where it has no such thing. Damage ends the count.
   */
  excess?(bytes: Buffer): string | undefined
  /** The space that a file without an ICC profile names, where libvips does not look; undefined when it is sRGB. */
  spaceOf?(bytes: Buffer): RgbSpace | undefined
  /** Whether a file that begins like this format is of another, which libvips would read all the same. */
  isOther?(bytes: Buffer): boolean
  /** Channels whose black and white are not the ends of their numbers, where libvips takes them for it; undefined where all are right. */
  limitedRangeOf?(bytes: Buffer): LimitedRange | undefined
  /** Whether the decoder can give this file at a smaller size, for a fraction of the time. */
  reducesWhileDecoding?(bytes: Buffer): boolean
  /** For a format that libvips cannot open. */
  readonly reader?: Reader
  /** For a format of which libvips opens most files: the reader of one that it refuses or shows wrongly. */
  readerOf?(bytes: Buffer): Reader | undefined
  /** What it encodes is not the format yet, but a PNG for this program, which a renderer may not start. */
  readonly finish?: 'heif-enc'
  encode(pixels: Sharp, settings: EncodeSettings): Promise<Written>
  /** The encodings that optimize tries, the cheap ones first; the smallest that looks good enough wins. */
  candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[]
  /** Writes every pixel as it is, 8 bits a channel; undefined where the format cannot. */
  encodeExactly?(pixels: Sharp, settings: Omit<EncodeSettings, 'quality'>): Promise<Written>
  /** Whether a file of this format lost something of its pixels when it was written. */
  lossy(bytes: Buffer): boolean
  /** The warning of an answer that is made of what is opened of a file, where the file has more: pages, frames. */
  moreInside?(bytes: Buffer): WarningName | undefined
  /** The same file without EXIF, XMP and comments, its pixels untouched; undefined where the format has no such thing. */
  strip?(bytes: Buffer): Buffer
}

/** A finished file and the size of one of its frames. */
export interface Written {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** Runs the pipeline: everything that was asked of it is decoded, edited and encoded here. */
export async function written(encoder: Sharp): Promise<Written> {
  const { data, info } = await encoder.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height }
}
