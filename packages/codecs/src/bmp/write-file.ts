import { permuteRows } from '@pixelmill/kernels/permute'
import type { Samples } from '../samples.ts'
import { encodeRuns } from './encode-runs.ts'
import {
  BITFIELDS,
  COLOUR_SPACE_AT,
  FILE_HEADER_BYTES,
  INFO_HEADER_BYTES,
  INTENT_AT,
  MASKS_AT,
  NONE,
  RLE4,
  RLE8,
  rowBytes,
  SRGB,
  V5_HEADER_BYTES,
} from './layout.ts'
import type { Indexed } from './pixels.ts'

/** Every pixel as its own colour: 24 bits, or 32 with alpha. */
export function writeColours(samples: Samples): Buffer {
  const { width, height, data, channels, green, blue, alpha } = samples
  const bits = alpha === undefined ? 24 : 32
  const stride = rowBytes(width, bits)
  const { file, pixelsAt } = newFile({ width, height, bits, compression: NONE, colours: [], pixelBytes: stride * height })
  const places = [blue, green, 0, ...(alpha === undefined ? [] : [alpha])]
  permuteRows(
    { data, start: 0, stride: width * channels },
    { data: file, start: pixelsAt + (height - 1) * stride, stride: -stride },
    { width, height, pixelBytes: channels, places },
  )
  for (let row = pixelsAt; row < file.length; row += stride) file.fill(0, row + width * places.length, row + stride)
  return file
}

/** The fewest bits per pixel for all colours; 2 is only supported by Windows CE. */
const bitsFor = (colours: number) => (colours <= 2 ? 1 : colours <= 16 ? 4 : 8)

/** Every pixel as a palette index of 1, 4 or 8 bits. */
export function writeIndices({ width, height, colours, indices }: Indexed): Buffer {
  const bits = bitsFor(colours.length)
  const stride = rowBytes(width, bits)
  const { file, pixelsAt } = newFile({ width, height, bits, compression: NONE, colours, pixelBytes: stride * height })
  file.fill(0, pixelsAt)
  for (let y = 0; y < height; y++) {
    const row = pixelsAt + (height - 1 - y) * stride
    if (bits === 8) {
      file.set(indices.subarray(y * width, (y + 1) * width), row)
      continue
    }
    for (let x = 0; x < width; x++) {
      const bit = x * bits
      const at = row + (bit >> 3)
      // The leftmost pixel is in the highest bits of a byte.
      file[at] = (file[at] ?? 0) | ((indices[y * width + x] ?? 0) << (8 - bits - (bit & 7)))
    }
  }
  return file
}

/** The same, run-length encoded; undefined if that takes more than `limit` bytes. */
export function writeRuns(picture: Indexed, limit: number): Buffer | undefined {
  const { width, height, colours } = picture
  const bits = colours.length <= 16 ? 4 : 8
  const runs = encodeRuns(picture, bits, limit)
  if (!runs) return undefined
  const compression = bits === 4 ? RLE4 : RLE8
  const { file, pixelsAt } = newFile({ width, height, bits, compression, colours, pixelBytes: runs.length })
  file.set(runs, pixelsAt)
  return file
}

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

/** A file with headers and colour table; its pixels, from `pixelsAt` on, follow. */
function newFile(plan: FilePlan): { readonly file: Buffer; readonly pixelsAt: number } {
  const { width, height, bits, compression, colours, pixelBytes } = plan
  // Older readers know neither alpha nor headers longer than the first version.
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
