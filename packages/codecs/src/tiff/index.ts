import type { Sharp, TiffOptions } from 'sharp'
import { type Attempt, type Codec, type Graded, type OptimizeSettings, writeFile } from '../codec.ts'
import { imageFormats } from '../image-formats.ts'
import { tiffContainer } from '../metadata/containers/tiff.ts'
import { tiffDensity } from '../metadata/density.ts'
import { isManifestInTiff } from '../metadata/manifests.ts'
import { tiffExcess, tiffPagesOf } from './inspect.ts'
import { tiffReader } from './reader.ts'
import { stripTiff } from './strip.ts'

const LITTLE_ENDIAN = Buffer.from('II')
const BIG_ENDIAN = Buffer.from('MM')

/** The 16-bit magic number after the byte order: 42 for TIFF, 43 for BigTIFF. */
function matches(head: Buffer): boolean {
  if (head.length < 8) return false
  const order = head.subarray(0, 2)
  const magic = order.equals(LITTLE_ENDIAN) ? head.readUInt16LE(2) : order.equals(BIG_ENDIAN) ? head.readUInt16BE(2) : 0
  return magic === 42 || magic === 43
}

/** Losslessly compressed files stay lossless; only JPEG-compressed ones are written as JPEG. */
function candidates(pixels: Sharp, { quality, plain, source, megapixels }: OptimizeSettings): readonly Attempt[] {
  const pages = source && tiffPagesOf(source.bytes)
  if (source && (!pages || pages.more)) return []
  const write = (options: TiffOptions) => () => writeFile(pixels.clone().tiff(options))
  const lossless = [
    write({ compression: 'deflate', predictor: 'horizontal' }),
    write({ compression: 'deflate', predictor: 'none' }),
    write({ compression: 'lzw', predictor: 'none' }),
  ]
  if (pages?.bilevel)
    return [write({ compression: 'ccittfax4', bitdepth: 1 }), write({ compression: 'deflate', predictor: 'none', bitdepth: 1 })]
  if (quality === 100 || !plain || !pages?.jpeg) return lossless
  // Slightly more than the same quality of JPEG, since libtiff does not smooth chroma when it reads.
  const jpeg: Graded = {
    levels: { min: quality, guess: quality, max: Math.min(100, quality + 15), step: 2 },
    tries: megapixels <= 20 ? 3 : 1,
    write: (level) => write({ compression: 'jpeg', quality: level })(),
  }
  return [jpeg]
}

export const tiff: Codec = {
  ...imageFormats.tiff,
  name: 'tiff',
  alpha: true,
  animated: false,
  deep: true,
  // Baseline TIFF allows 32 bits; libvips' limit is ten million.
  maxSide: 10_000_000,
  matches,
  excess: tiffExcess,
  readerOf: tiffReader,
  // Lossless, as users of TIFF expect; libtiff's own default here would be lossy JPEG.
  encode: (pixels) => writeFile(pixels.tiff({ compression: 'deflate', predictor: 'horizontal' })),
  lossy: (bytes) => tiffPagesOf(bytes)?.jpeg === true,
  moreInside: (bytes) => (tiffPagesOf(bytes)?.more ? 'first_page_only' : undefined),
  candidates,
  strip: stripTiff,
  loader: 'Tiff',
  isMostlyFlat: true,
  cost: { decoding: 0.013, encoding: 0.03, optimizing: 0.15 },
  container: tiffContainer,
  isManifestIn: isManifestInTiff,
  density: tiffDensity,
}
