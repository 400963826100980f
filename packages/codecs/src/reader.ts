import type { WarningName } from './contract/warnings.ts'

/** The header of a file, before its pixels are decoded; width and height as displayed. */
export interface PictureHeader {
  readonly width: number
  readonly height: number
  readonly alpha: boolean
  /** One channel, and perhaps alpha. */
  readonly grey: boolean
  /** More than 8 bits a channel. */
  readonly deep: boolean
  /** Bits a channel, where they are neither 8 nor, if `deep`, 16. */
  readonly bitDepth?: number
  readonly cmyk?: boolean
  /** A complete file of another format inside this one, which is decoded instead. */
  readonly embedded?: Buffer
  /** Of an animation: the number of frames, milliseconds of each, and how often to play (0: for ever). */
  readonly frames?: number
  readonly delay?: readonly number[]
  readonly loop?: number
  /** Warnings for the answer. */
  readonly warnings?: readonly WarningName[]
}

/** The components of a JPEG as they are coded, in full size, interleaved, 8 bits each. */
export interface JpegComponents {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** Decodes JPEG data inside another file. @throws when it is damaged */
export type DecodeJpeg = (jpeg: Buffer) => Promise<JpegComponents>

/** Reads a format that libvips cannot open, or decodes unlike browsers. Both methods throw UnreadableError. */
export interface Reader {
  header(bytes: Buffer): Promise<PictureHeader>
  /**
   * `decodeJpeg` is needed for files with JPEG data inside. Of an animation, decodes the first `frames` (default 1), one below
   * the other; fewer when a later one is damaged.
   */
  decode(bytes: Buffer, decodeJpeg?: DecodeJpeg, frames?: number): Promise<Bitmap>
}

/** A damaged or unsupported file. The message is sent to the caller, so it must not quote a library. */
export class UnreadableError extends Error {}

/** Decoded pixels: rows from the top, channels interleaved, alpha not premultiplied. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  /** The number of frames of an animation, one below the other. */
  readonly frames?: number
  /** 1 grey, 3 RGB, 4 RGBA; with `inks` 4 CMYK, 5 CMYK and alpha. */
  readonly channels: 1 | 3 | 4 | 5
  /** The colours are CMYK, 255 being all of an ink: 8 bits a channel. */
  readonly inks?: true
  /** 8 bits a channel, or 16 in the machine's byte order. */
  readonly data: Uint8Array | Uint16Array
  /** The ICC profile of the pixels; by default sRGB, or libvips' own CMYK profile for inks. */
  readonly icc?: Uint8Array
}

/** The only picture of a file of 8-bit RGB, with or without alpha. */
export interface ColourSamples extends Bitmap {
  readonly channels: 3 | 4
  readonly data: Uint8Array
  readonly frames: 1
}

/** Divides colours by alpha, the last of `channels`, in place. */
export function unpremultiply(data: Uint8Array | Uint16Array, channels: number): void {
  if (data.BYTES_PER_ELEMENT === 1) unpremultiplyBytes(data, channels)
  else unpremultiplyWords(data, channels)
}

/** By 256 × alpha + colour; made at the first use. */
let quotients: Uint8Array | undefined

function unpremultiplyBytes(data: Uint8Array | Uint16Array, channels: number): void {
  quotients ??= Uint8Array.from({ length: 65_536 }, (_, at) => {
    const alpha = at >> 8
    return alpha === 0 ? at : Math.min(255, Math.round(((at & 255) * 255) / alpha))
  })
  const table = quotients
  for (let at = 0; at < data.length; at += channels) {
    const alphaAt = at + channels - 1
    const alpha = data[alphaAt] as number
    if (alpha === 255) continue
    for (let channel = at; channel < alphaAt; channel++) data[channel] = table[(alpha << 8) | (data[channel] as number)] as number
  }
}

const UP = 0.500_000_1

function unpremultiplyWords(data: Uint8Array | Uint16Array, channels: number): void {
  for (let at = 0; at < data.length; at += channels) {
    const alphaAt = at + channels - 1
    const alpha = data[alphaAt] as number
    if (alpha === 0 || alpha === 65_535) continue
    const factor = 65_535 / alpha
    // As rounding the quotients: none is nearer to the middle between two numbers than 7 in a million, unless it is there.
    for (let channel = at; channel < alphaAt; channel++) data[channel] = Math.min(65_535, (data[channel] as number) * factor + UP)
  }
}
