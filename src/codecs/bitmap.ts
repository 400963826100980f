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
