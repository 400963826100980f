import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { type PlaneOf, planeSimilarities } from '@pixelmill/kernels/ssim'

/** Luma and chroma of ITU-R BT.601. Luma counts for three quarters: 4:2:0 has four luma samples for each pair of chroma. */
const colourPlanes: readonly (PlaneOf & { readonly weight: number })[] = [
  { factors: [0.299, 0.587, 0.114], middle: 128, weight: 0.75 },
  { factors: [-0.1687, -0.3313, 0.5], middle: 0, weight: 0.125 },
  { factors: [0.5, -0.4187, -0.0813], middle: 0, weight: 0.125 },
]

/**
 * Mean structural similarity of two rasters of equal size, both grey or both in colour; 1 means equal. If both have alpha,
 * the worse of colour and alpha counts.
 */
export function ssim(a: Raster, b: Raster): number {
  const colours = a.channels < 3 ? 1 : 3
  const planes = colours === 1 ? [{ channel: 0, weight: 1 }] : colourPlanes
  const hasAlpha = a.channels > colours && b.channels > colours
  const similarities = planeSimilarities(a, b, hasAlpha ? [...planes, { channel: colours }] : planes)
  const colour = planes.reduce((sum, { weight }, plane) => sum + weight * (similarities[plane] as number), 0)
  return hasAlpha ? Math.min(colour, similarities[planes.length] as number) : colour
}
