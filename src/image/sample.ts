import type { Raster } from './ssim.ts'

/** Enough of a picture to judge an encoder by; SSIM over more would cost more than the encoding. */
const MEGAPIXELS = 8
/** libjpeg's limit is 65,500. */
const MAX_ROWS = 65_000
/** A multiple of the 16 rows that JPEG codes together, so that a cut between bands leaves its blocks as they were. */
const BAND_ROWS = 64

/** Every so many bands of a large raster, one under the other; a small one as it is. */
export function sample(raster: Raster): Raster {
  const { data, width, height, channels } = raster
  const every = Math.max(Math.ceil((width * height) / 1e6 / MEGAPIXELS), Math.ceil(height / MAX_ROWS))
  if (every === 1) return raster
  const band = BAND_ROWS * width * channels
  const count = Math.ceil(height / BAND_ROWS / every)
  const bands = Array.from({ length: count }, (_, index) => data.subarray(index * every * band, index * every * band + band))
  const sampled = Buffer.concat(bands)
  return { data: sampled, width, height: sampled.length / (width * channels), channels }
}
