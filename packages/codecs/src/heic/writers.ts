import { onScale, type QualityScale } from '../scales.ts'

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
export const x265Quality = (quality: number, megapixels: number): number => onScale(x265Scale, quality, megapixels)
