import type { Codec } from '../codec.ts'
import { written } from '../written.ts'
import { tiffReader } from './reader.ts'

const LITTLE_ENDIAN = Buffer.from('II')
const BIG_ENDIAN = Buffer.from('MM')

/** The 16-bit magic number after the byte order: 42 for TIFF, 43 for BigTIFF. */
function matches(head: Buffer): boolean {
  if (head.length < 8) return false
  const order = head.subarray(0, 2)
  const magic = order.equals(LITTLE_ENDIAN) ? head.readUInt16LE(2) : order.equals(BIG_ENDIAN) ? head.readUInt16BE(2) : 0
  return magic === 42 || magic === 43
}

export const tiff: Codec = {
  name: 'tiff',
  mime: 'image/tiff',
  extension: 'tiff',
  target: false,
  alpha: true,
  animated: false,
  deep: true,
  // Baseline TIFF counts in 32 bits; libvips stops at ten million.
  maxSide: 10_000_000,
  matches,
  readerOf: tiffReader,
  // Lossless, as people who keep TIFF expect; libtiff's own default here would be lossy JPEG.
  encode: (pixels) => written(pixels.tiff({ compression: 'deflate', predictor: 'horizontal' })),
  candidates: (pixels, { quality, plain }) => [
    () => written(pixels.clone().tiff({ compression: 'deflate', predictor: 'horizontal' })),
    () => written(pixels.clone().tiff({ compression: 'lzw', predictor: 'horizontal' })),
    ...(quality < 100 && plain ? [() => written(pixels.clone().tiff({ compression: 'jpeg', quality }))] : []),
  ],
}
