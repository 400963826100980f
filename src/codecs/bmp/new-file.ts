import {
  BITFIELDS,
  COLOUR_SPACE_AT,
  FILE_HEADER_BYTES,
  INFO_HEADER_BYTES,
  INTENT_AT,
  MASKS_AT,
  type NONE,
  type RLE4,
  type RLE8,
  SRGB,
  V5_HEADER_BYTES,
} from './layout.ts'

export interface FilePlan {
  readonly width: number
  readonly height: number
  /** 32 has alpha. */
  readonly bits: 1 | 4 | 8 | 24 | 32
  readonly compression: typeof NONE | typeof RLE8 | typeof RLE4
  /** 0xrrggbb; none for 24 and 32 bits. */
  readonly colours: readonly number[]
  readonly pixelBytes: number
}

/** 72 dpi, in pixels a metre. */
const RESOLUTION = 2835
/** LCS_GM_IMAGES, "perceptual". */
const INTENT = 4

/** A file whose headers and colour table are written; its pixels, from `pixelsAt` on, are still to come. */
export function newFile(plan: FilePlan): { readonly file: Buffer; readonly pixelsAt: number } {
  const { width, height, bits, compression, colours, pixelBytes } = plan
  // Older readers know nothing of alpha, nor of headers longer than the first.
  const headerBytes = bits === 32 ? V5_HEADER_BYTES : INFO_HEADER_BYTES
  const pixelsAt = FILE_HEADER_BYTES + headerBytes + colours.length * 4
  const file = Buffer.allocUnsafeSlow(pixelsAt + pixelBytes).fill(0, 0, pixelsAt)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(pixelsAt, 10)
  const header = file.subarray(FILE_HEADER_BYTES)
  header.writeUInt32LE(headerBytes, 0)
  header.writeInt32LE(width, 4)
  header.writeInt32LE(height, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bits, 14)
  header.writeUInt32LE(bits === 32 ? BITFIELDS : compression, 16)
  header.writeUInt32LE(pixelBytes, 20)
  header.writeUInt32LE(RESOLUTION, 24)
  header.writeUInt32LE(RESOLUTION, 28)
  header.writeUInt32LE(colours.length, 32)
  if (bits === 32) {
    const masks = [0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000]
    for (const [index, mask] of masks.entries()) header.writeUInt32LE(mask, MASKS_AT + index * 4)
    header.writeUInt32LE(SRGB, COLOUR_SPACE_AT)
    header.writeUInt32LE(INTENT, INTENT_AT)
  }
  // Blue, green, red and a zero.
  for (const [index, colour] of colours.entries()) header.writeUInt32LE(colour, headerBytes + index * 4)
  return { file, pixelsAt }
}
