import type { WarningName } from '../contract/warnings.ts'

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

/** Decoded pixels: rows from the top, channels interleaved, alpha not premultiplied. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  /** Of an animation, as many frames below one another. */
  readonly frames?: number
  /** Grey, RGB or RGB and alpha; of inks CMYK, or CMYK and alpha. */
  readonly channels: 1 | 3 | 4 | 5
  /** The colours are CMYK, 255 being all of an ink: 8 bits a channel. */
  readonly inks?: true
  /** 8 bits a channel, or 16 in the machine's byte order. */
  readonly data: Uint8Array | Uint16Array
  /** The ICC profile that the pixels are in; sRGB without one, and libvips' own CMYK for inks. */
  readonly icc?: Uint8Array
}

/** Divides colours by the alpha behind them, in place: the last of `channels`, in as many bits as they. */
export function unpremultiply(data: Uint8Array | Uint16Array, channels: number): void {
  const full = data.BYTES_PER_ELEMENT === 1 ? 255 : 65_535
  for (let at = 0; at < data.length; at += channels) {
    const alphaAt = at + channels - 1
    const alpha = data[alphaAt] ?? 0
    if (alpha === 0 || alpha === full) continue
    for (let channel = at; channel < alphaAt; channel++) {
      data[channel] = Math.min(full, Math.round(((data[channel] ?? 0) * full) / alpha))
    }
  }
}
