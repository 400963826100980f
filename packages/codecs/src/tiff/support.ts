import { hasBlocks, predictedRowBytes, rowBytes, stride } from './chunks.ts'
import { blockBytes } from './colours.ts'
import { decompressors } from './decompress.ts'
import { compressions, formats, type Layout, photometrics } from './layout.ts'

/** Compressions that libvips' libtiff supports: also CCITT, JPEG, NeXT, ThunderScan, SGILog and WebP. */
const ofLibvips = new Set([1, 2, 3, 4, 5, 7, 8, 32_766, 32_771, 32_773, 32_809, 32_946, 34_676, 34_677, 50_001])
const SGI_LOG = new Set([34_676, 34_677])

const compressionNames: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  9: 'JBIG',
  10: 'JBIG',
  262: 'Kodak 262',
  32661: 'ISO JBIG',
  32767: 'Sony ARW',
  32867: 'Kodak KDC',
  32909: 'Pixar film log',
  32908: 'Pixar film',
  34661: 'JBIG',
  34663: 'JBIG2',
  34712: 'JPEG 2000',
  34713: 'Nikon NEF',
  34887: 'LERC',
  34892: 'lossy JPEG of raw data',
  34925: 'LZMA',
  50000: 'Zstandard',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
}

const photometricNames: Readonly<Record<number, string>> = {
  0: 'grey',
  1: 'grey',
  2: 'RGB',
  3: 'palette',
  4: 'mask',
  5: 'CMYK',
  6: 'YCbCr',
  8: 'CIELAB',
  9: 'ICC LAB',
  10: 'ITU LAB',
  32803: 'raw camera data',
  34892: 'raw camera data',
}

/** By SampleFormat; integers have no name. */
const numberNames: Readonly<Record<number, string>> = { 3: 'floating-point ', 5: 'complex ', 6: 'complex ' }

/** Bytes of one decompressed strip or tile: 80 megapixels of one byte, or 20 of RGB in 32 bits. */
const MAX_CHUNK_BYTES = 256 * 1024 * 1024

const { minIsWhite, minIsBlack, rgb, palette, cmyk, yCbCr, cieLab, iccLab } = photometrics
const has = (set: readonly unknown[], value: unknown): boolean => set.includes(value)

/** Whether libvips decodes such a file correctly: measured on every combination that ImageMagick and tiffcp write. */
export function libvipsReads(layout: Layout): boolean {
  const { bits, samples, compression, format, photometric, planar, tiled, alpha } = layout
  if (!ofLibvips.has(compression) || !depthsAgree(layout)) return false
  if (SGI_LOG.has(compression) || isOwnLab(layout)) return true
  if (has([minIsWhite, minIsBlack, palette], photometric) ? !has([1, 2, 4, 8, 16], bits) : !has([8, 16], bits)) return false
  if (bits < 8 && samples > 1) return false
  if (format > formats.unsigned && format !== 4) return false
  if (compression === compressions.jpeg && (bits !== 8 || alpha !== 'none')) return false
  // WebP needs three or four samples together.
  if (planar && (tiled || photometric === yCbCr || compression === 50_001)) return false
  if (photometric === cmyk) return bits === 8 || alpha === 'none'
  // libtiff converts YCbCr to RGB if it also decodes the JPEG; libvips treats other files as RGB.
  if (photometric === yCbCr) return compression === compressions.jpeg
  return has([minIsWhite, minIsBlack, rgb, palette], photometric)
}

/** CIELAB in the form that only libvips writes, with D65 implied. Other files are read with the wrong white point. */
const isOwnLab = ({ photometric, format, bits, planar }: Layout): boolean =>
  photometric === cieLab && !planar && ((format === formats.float && bits === 32) || (format === formats.signed && bits === 16))

/** Whether our own reader decodes such a file. */
export function ownReads(layout: Layout): boolean {
  const { bits, samples, colours, compression, format, photometric, predictor, chunk } = layout
  if (!(compression in decompressors || compression === compressions.jpeg) || !depthsAgree(layout)) return false
  const isLossless = layout.losslessBits !== undefined
  if (compression === compressions.jpeg && ((bits !== 8 && !isLossless) || predictor !== 1)) return false
  if (isLossless && has([palette, yCbCr], photometric)) return false
  if (!has([minIsWhite, minIsBlack, rgb, palette, cmyk, yCbCr, cieLab, iccLab], photometric)) return false
  if (samples < coloursOf(photometric)) return false
  if (photometric === palette && (format !== formats.unsigned || bits > 16 || layout.palette.length < 3)) return false
  if (photometric === yCbCr && !ownReadsYCbCr(layout)) return false
  if (
    format === formats.float ? !has([16, 32, 64], bits) : !(format <= formats.signed && (bits <= 16 || has([24, 32, 64], bits)))
  )
    return false
  if (has([cieLab, iccLab], photometric) && (colours < 3 || !has([8, 16], bits))) return false
  if (predictor !== 1 && bits % 8 !== 0 && (predictor !== 2 || bits > 16)) return false
  return chunk.width > 0 && chunk.height > 0 && stride(layout) <= 16 && rowBytes(layout) * chunk.height <= MAX_CHUNK_BYTES
}

const coloursOf = (photometric: number | undefined): number =>
  has([minIsWhite, minIsBlack, palette], photometric) ? 1 : photometric === cmyk ? 4 : 3

/** Chroma may be of a half or a quarter of the size (TIFF 6.0, section 21); blocks have no place for further channels. */
function ownReadsYCbCr(layout: Layout): boolean {
  const { bits, format, samples, subsampling, predictor } = layout
  if (format !== formats.unsigned || !has([8, 16], bits)) return false
  if (!has([1, 2, 4], subsampling.across) || !has([1, 2, 4], subsampling.down)) return false
  if (!hasBlocks(layout)) return true
  if (samples !== 3 || predictor === 1) return samples === 3
  // The predictor works on lines of whole pixels that fill a chunk: libtiff writes no others.
  const line = predictedRowBytes(layout)
  return line % ((samples * bits) / 8) === 0 && blockBytes(layout, layout.chunk.height) % line === 0
}

const depthsAgree = ({ depths, bits }: Layout): boolean => bits > 0 && depths.every((depth) => depth === bits)

/** Why a file is not supported, to follow "The image cannot be read: ". */
export function obstacle(layout: Layout): string {
  const { bits, compression, format, photometric, planar, tiled, depths } = layout
  if (!ofLibvips.has(compression) && compression !== 50_000) {
    const name = compressionNames[compression]
    return `it is compressed with ${name ? `${name} (${compression})` : `method ${compression}`}, which is not supported`
  }
  if (photometric === undefined) return 'it does not say what its colours are (PhotometricInterpretation is missing)'
  if (!depthsAgree(layout)) return `its channels differ in depth (${depths.join(', ')} bits), which is not supported`
  const kind = `${bits}-bit ${numberNames[format] ?? ''}${photometricNames[photometric] ?? `colours of kind ${photometric}`}`
  const order = planar ? ` in separate planes${tiled ? ' of tiles' : ''}` : ''
  const packing = compression === 1 ? '' : ` compressed with method ${compression}`
  return `it holds ${kind}${order}${packing}, which is not supported`
}
