import type { WarningName } from '../contract/warnings.ts'
import type { Bitmap } from './bitmap.ts'

/** What a file says of itself before a pixel is decoded; width and height as displayed. */
export interface PictureHeader {
  readonly width: number
  readonly height: number
  readonly alpha: boolean
  /** One channel, and perhaps alpha. */
  readonly grey: boolean
  /** More than 8 bits a channel. */
  readonly deep: boolean
  /** A whole file of another format inside this one: it is decoded in its place. */
  readonly embedded?: Buffer
  /** Of an animation: its frames, milliseconds of each, and how often to play (0 is for ever). */
  readonly frames?: number
  readonly delay?: readonly number[]
  readonly loop?: number
  /** What an answer made of this picture is to warn of. */
  readonly warnings?: readonly WarningName[]
}

/** The components of a JPEG as they are coded, in full size, interleaved, 8 bits each. */
export interface JpegComponents {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** Decodes a JPEG that is a part of another file. Throws where it cannot. */
export type DecodeJpeg = (jpeg: Buffer) => Promise<JpegComponents>

/** How a format is read that libvips does not open, or shows otherwise than browsers do. Both throw UnreadableError. */
export interface Reader {
  header(bytes: Buffer): Promise<PictureHeader>
  /**
   * `decodeJpeg` is needed for files that have JPEG inside. Of an animation the first `frames` (1 where it is left out), below one
   * another; fewer where a later one is damaged.
   */
  decode(bytes: Buffer, decodeJpeg?: DecodeJpeg, frames?: number): Promise<Bitmap>
}

/** A damaged or unsupported file. The message goes to the caller: what is wrong, in words of ours. */
export class UnreadableError extends Error {}
