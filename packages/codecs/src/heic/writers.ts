import type { Sharp } from 'sharp'
import { type Codec, type Written, written } from '../codec.ts'
import { onScale, type QualityScale } from '../scales.ts'
import { heic } from './index.ts'
import { estimatedBytes } from './write-heic.ts'

const interim = (pixels: Sharp) => written(pixels.png({ compressionLevel: 1 }))

/** From this quality on, files of x265 have at least a third of the size of elheif's. */
const COMPARABLE_QUALITY = 50
const SHARE_OF_ELHEIF = 1 / 3

/** Undefined when heif-enc cannot write a smaller file, which would take many seconds to find out by trying. */
async function interimIfSmaller(pixels: Sharp, quality: number, toBeat: number): Promise<Written | undefined> {
  const isFutile = quality >= COMPARABLE_QUALITY && (await estimatedBytes(pixels.clone())) * SHARE_OF_ELHEIF > toBeat
  return isFutile ? undefined : interim(pixels.clone())
}

/** HEIC by heif-enc, which runs outside the renderer, since that may start no programs. The renderer writes a PNG for it. */
export const heicToFinish: Codec = {
  ...heic,
  finish: 'heif-enc',
  encode: interim,
  candidates: (pixels, { quality }) => (quality < 100 ? [(toBeat) => interimIfSmaller(pixels, quality, toBeat)] : []),
}

/** x265 (preset ultrafast, tune ssim) beside JPEG, by lab/measure-quality.ts; its chroma has half the resolution at every quality. */
export const x265Scale: QualityScale = [
  [1, 1],
  [10, 10],
  [25, 24],
  [50, 36],
  [60, 38, 39],
  [75, 44, 47],
  [85, 51, 54],
  [89, 54, 57],
  [90, 63, 65],
  [95, 75],
  [100, 100],
]

/** The quality of heif-enc for a quality of 1–100 and the size of the picture. */
export const x265Quality = (asked: number, megapixels: number): number => onScale(x265Scale, asked, megapixels)
