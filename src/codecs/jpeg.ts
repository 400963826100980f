import type { Sharp } from 'sharp'
import { limits } from '../contract/limits.ts'
import type { Attempt, Codec, Graded, OptimizeSettings } from './codec.ts'
import { type EffortTable, effortFor } from './effort.ts'
import { jpegExcess } from './jpeg-markers.ts'
import { jpegQualityOf } from './jpeg-quality.ts'
import { repackedJpeg } from './lossless-tools.ts'
import { onScale, type QualityScale } from './quality-scale.ts'
import { stripJpeg, withMetadataOf } from './strip/jpeg.ts'
import { type Written, written } from './written.ts'

/** Above this quality the eye sees chroma at half resolution on saturated edges. */
const FULL_CHROMA_QUALITY = 90

const options = (quality: number = limits.quality.default) => ({
  quality,
  chromaSubsampling: quality >= FULL_CHROMA_QUALITY ? '4:4:4' : '4:2:0',
})

/** mozjpeg's number whose SSIM equals plain JPEG's, on photographs: its tables and its trellis are coarser at the same number. */
const alike: QualityScale = [
  [1, 3],
  [10, 11],
  [30, 43],
  [50, 62],
  [75, 80],
  [90, 92],
  [100, 100],
]
/** mozjpeg's number whose tables are as coarse as libjpeg's: up to it a file counts as of the quality asked, and is left so. */
const coarse: QualityScale = [
  [1, 2],
  [3, 3],
  [10, 11],
  [20, 24],
  [30, 43],
  [50, 67],
  [75, 83],
  [90, 93],
  [100, 100],
]

/** The table above is right to within this. */
const TOLERANCE = 1

/** A mozjpeg costs 0.15 s a megapixel, decoding and comparing it 0.05 s. */
const tries: EffortTable = [
  [8, 4],
  [16, 3],
  [30, 2],
  [Infinity, 1],
]

/** The same coefficients in fewer bytes: progressive, with Huffman tables of its own. */
async function transcoded(source: Written): Promise<Written> {
  const bytes = await repackedJpeg(source.bytes)
  return bytes ? { ...source, bytes: withMetadataOf(source.bytes, bytes) } : source
}

const graded = (pixels: Sharp, { quality, megapixels }: OptimizeSettings, chromaSubsampling: string): Graded => {
  const guess = onScale(alike, quality)
  return {
    levels: { min: Math.max(1, guess - 30), guess, max: onScale(coarse, quality), step: 2 },
    tries: effortFor(tries, megapixels),
    write: (level) => written(pixels.clone().jpeg({ quality: level, chromaSubsampling, mozjpeg: true })),
  }
}

/** A file that is no better than what is asked for is not quantised again, only packed better. */
function candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[] {
  const { quality, source } = settings
  const exact = source ? [() => transcoded(source)] : []
  if (quality === 100 || (source && jpegQualityOf(source.bytes) <= quality + TOLERANCE)) return exact
  const plain = () => written(pixels.clone().jpeg({ ...options(quality), progressive: true, optimiseScans: true }))
  const chroma = quality >= FULL_CHROMA_QUALITY ? ['4:2:0', '4:4:4'] : ['4:2:0']
  return [...exact, plain, ...chroma.map((subsampling) => graded(pixels, settings, subsampling))]
}

export const jpeg: Codec = {
  name: 'jpeg',
  mime: 'image/jpeg',
  extension: 'jpg',
  target: true,
  alpha: false,
  animated: false,
  deep: false,
  // The format counts to 65,535; libjpeg stops here.
  maxSide: 65_500,
  matches: (head) => head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff,
  excess: jpegExcess,
  reducesWhileDecoding: () => true,
  encode: (pixels, { quality }) => written(pixels.jpeg(options(quality))),
  lossy: () => true,
  candidates,
  strip: stripJpeg,
}
