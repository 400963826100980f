import { onScale, type QualityScale } from '../quality-scale.ts'

/** x265 (preset ultrafast, tune ssim) beside JPEG and WebP, by scripts/measure-quality.ts; docs/quality.md has the figures. */
export const x265Scale: QualityScale = [
  [1, 1],
  [10, 14],
  [25, 26],
  [50, 34],
  [75, 41],
  [90, 53],
  [95, 63],
  [100, 100],
]

/** What to ask of heif-enc for a quality of 1–100. */
export const x265Quality = (asked: number): number => onScale(x265Scale, asked)
