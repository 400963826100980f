import { hasBlocks, predictedRowBytes, rowBytes, stride } from './chunks.ts'
import { blockBytes } from './colours.ts'
import { decompressors } from './decompress.ts'
import { coloursOf, compressions, formats, hasOneDepth, type Layout, photometrics, predictors } from './layout.ts'

/** Whether our own reader decodes such a file. */
export function ownReads(layout: Layout): boolean {
  if (!readsCompression(layout) || !hasOneDepth(layout)) return false
  return readsColours(layout) && readsNumbers(layout) && readsPredictor(layout) && fitsInMemory(layout)
}

function readsCompression({ compression, bits, predictor, losslessBits, photometric }: Layout): boolean {
  const isLossless = losslessBits !== undefined
  if (isLossless && (photometric === photometrics.palette || photometric === photometrics.yCbCr)) return false
  if (compression !== compressions.jpeg) return compression in decompressors
  return predictor === predictors.none && (bits === 8 || isLossless)
}

const knownPhotometrics: readonly (number | undefined)[] = Object.values(photometrics)

function readsColours(layout: Layout): boolean {
  const { photometric, samples, format, bits, palette, colours } = layout
  if (!knownPhotometrics.includes(photometric) || samples < coloursOf(photometric)) return false
  if (photometric === photometrics.palette) return format === formats.unsigned && bits <= 16 && palette.length >= 3
  if (photometric === photometrics.yCbCr) return readsYCbCr(layout)
  const isLab = photometric === photometrics.cieLab || photometric === photometrics.iccLab
  return !isLab || (colours >= 3 && (bits === 8 || bits === 16))
}

const SUBSAMPLINGS: readonly number[] = [1, 2, 4]

/** Chroma may be of a half or a quarter of the size (TIFF 6.0, section 21); blocks have no place for further channels. */
function readsYCbCr(layout: Layout): boolean {
  const { bits, format, samples, subsampling, predictor, chunk } = layout
  if (format !== formats.unsigned || (bits !== 8 && bits !== 16)) return false
  if (!SUBSAMPLINGS.includes(subsampling.across) || !SUBSAMPLINGS.includes(subsampling.down)) return false
  if (!hasBlocks(layout)) return true
  if (samples !== 3 || predictor === predictors.none) return samples === 3
  // The predictor works on lines of whole pixels that fill a chunk: libtiff writes no others.
  const line = predictedRowBytes(layout)
  return line % ((samples * bits) / 8) === 0 && blockBytes(layout, chunk.height) % line === 0
}

const FLOAT_DEPTHS: readonly number[] = [16, 32, 64]
const WIDE_DEPTHS: readonly number[] = [24, 32, 64]

const readsNumbers = ({ format, bits }: Layout): boolean =>
  format === formats.float ? FLOAT_DEPTHS.includes(bits) : format <= formats.signed && (bits <= 16 || WIDE_DEPTHS.includes(bits))

const readsPredictor = ({ predictor, bits }: Layout): boolean =>
  predictor === predictors.none || bits % 8 === 0 || (predictor === predictors.difference && bits <= 16)

/** Bytes of one decompressed strip or tile: 80 megapixels of one byte, or 20 of RGB in 32 bits. */
const MAX_CHUNK_BYTES = 256 * 1024 * 1024
const MAX_STRIDE = 16

const fitsInMemory = (layout: Layout): boolean => {
  const { width, height } = layout.chunk
  return width > 0 && height > 0 && stride(layout) <= MAX_STRIDE && rowBytes(layout) * height <= MAX_CHUNK_BYTES
}
