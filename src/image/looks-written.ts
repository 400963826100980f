import type { Raster } from './ssim.ts'

/** A step in brightness that an eye does not see, and one that only ink on paper or letters on a screen have from pixel to pixel. */
const [FLAT_STEP, SHARP_STEP] = [2, 64]

/**
 * What tells writing from photographs: most of it is flat, and what is not is sharp. Noise keeps photographs from the one,
 * lenses from the other.
 */
const [LEAST_FLAT, LEAST_SHARP] = [0.6, 0.01]

/** Whether a raster is a page, a screenshot or a chart, as far as pixels tell. */
export function looksWritten({ data, width, height, channels }: Raster): boolean {
  // Green is most of brightness.
  const green = channels < 3 ? 0 : 1
  let [flat, sharp] = [0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const at = (y * width + x) * channels + green
      const step = Math.abs((data[at] ?? 0) - (data[at - channels] ?? 0))
      if (step <= FLAT_STEP) flat++
      else if (step >= SHARP_STEP) sharp++
    }
  }
  const pairs = height * (width - 1)
  return flat >= LEAST_FLAT * pairs && sharp >= LEAST_SHARP * pairs && pairs > 0
}
