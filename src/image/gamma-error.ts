import type { Bitmap } from '../codecs/bitmap.ts'
import { sRgbCoded, sRgbCurve } from '../codecs/icc/rgb-space.ts'
import type { Size } from './result-size.ts'

/** Samples are stored as the eye counts, light adds up linearly. */
const lightOf = Float64Array.from({ length: 256 }, (_, sample) => sRgbCurve(sample / 255))

/** As many blocks as a millisecond allows. */
const [MOST_BLOCKS, MOST_SAMPLES] = [4_096, 65_536]
const [LEAST_SIDE, MOST_SIDE] = [2, 16]
/** Steps of the golden ratio spread the blocks evenly over the width, in no rhythm that the picture could have too. */
const GOLDEN = (Math.sqrt(5) - 1) / 2
/** Less than half a step of 8 bits is no detail. */
const FLAT = 0.5

/** How many levels of 255 the mean of a block's samples lies from the sample of its mean light; NaN where all is transparent. */
function errorOfBlock({ data, width, channels }: Bitmap, left: number, top: number, side: number, channel: number): number {
  const [shift, alphaAt] = [data.BYTES_PER_ELEMENT === 2 ? 8 : 0, channels === 4 ? 3 : -1]
  let [samples, light, weight] = [0, 0, 0]
  for (let y = top; y < top + side; y++) {
    for (let x = left; x < left + side; x++) {
      const at = (y * width + x) * channels
      const sample = (data[at + channel] as number) >> shift
      const alpha = alphaAt < 0 ? 1 : (data[at + alphaAt] as number)
      samples += alpha * sample
      light += alpha * (lightOf[sample] as number)
      weight += alpha
    }
  }
  return 255 * sRgbCoded(light / weight) - samples / weight
}

/**
 * What shrinking by samples instead of by light would get wrong, in levels of 255: the root mean square over
 * sampled blocks, each as large as a pixel of the result, that are not flat.
 */
export function gammaError(bitmap: Bitmap, to: Size): number {
  const { width, height, channels } = bitmap
  const scale = Math.round(Math.max(width / to.width, height / to.height))
  const side = Math.min(width, height, Math.max(LEAST_SIDE, Math.min(MOST_SIDE, scale)))
  const blocks = Math.min(MOST_BLOCKS, MOST_SAMPLES / side ** 2)
  let [sum, count] = [0, 0]
  for (let block = 0; block < blocks; block++) {
    const left = Math.floor(((block * GOLDEN) % 1) * (width - side + 1))
    const top = Math.floor(((block + 0.5) / blocks) * (height - side + 1))
    for (let channel = 0; channel < Math.min(channels, 3); channel++) {
      const error = errorOfBlock(bitmap, left, top, side, channel)
      if (!(Math.abs(error) >= FLAT)) continue
      sum += error * error
      count++
    }
  }
  return count ? Math.sqrt(sum / count) : 0
}
