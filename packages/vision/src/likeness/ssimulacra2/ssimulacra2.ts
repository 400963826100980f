import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { describe, release, sumsBeside, sumsOfErrors } from '@pixelmill/kernels/ssimulacra2'
import { planesOf, scalesOf, scoreOf } from './terms.ts'

/** Scores pictures against the original, which is described once; to be disposed of after the last one. */
export interface Judge extends Disposable {
  /**
   * SSIMULACRA2: 100 for equal pictures, 90 visually lossless, 70 high, 50 medium, 30 low quality; may be negative.
   * @param tiles of the same size and in the same order as those of the original
   */
  score(tiles: readonly Raster[]): number
}

/** Samples of the greys on which a picture with alpha is shown, as in the reference. The worse score counts. */
export const BACKGROUNDS = [0.1 * 255, 0.9 * 255] as const

/**
 * SSIMULACRA 2.1 as cloudinary/ssimulacra2 defines it, for pictures of 8 bits a channel. Its terms whose weights are below
 * 0.003 are left out, since all of them together change a score by less than 0.02.
 * @param original the whole picture, or the frames of an animation
 */
export function judgeOf(original: readonly Raster[]): Judge {
  const [first] = original
  if (!first) throw new Error('no picture to judge by')
  return judgeBeside(original, first, 'zero')
}

/**
 * Scores parts of a picture, all of one size, as a picture without edges.
 * @param whole the size of the picture; on it depends at which scales they are compared
 */
export const judgeOfParts = (parts: readonly Raster[], whole: Size): Judge => judgeBeside(parts, whole, 'nothing')

function judgeBeside(original: readonly Raster[], whole: Size, outside: 'zero' | 'nothing'): Judge {
  const tiles = original.map(atLeastSmallest)
  const scales = scalesOf({ width: Math.max(SMALLEST, whole.width), height: Math.max(SMALLEST, whole.height) })
  const alpha = original.some(({ channels }) => channels === 2 || channels === 4)
  const comparisons = (alpha ? BACKGROUNDS : BACKGROUNDS.slice(0, 1)).map((background) => ({
    scales: planesOf(scales),
    background,
    outside,
  }))
  const pixels = tiles.reduce((sum, { width, height }) => sum + width * height, 0)
  const descriptions = pixels <= DESCRIBED_PIXELS ? comparisons.map((comparison) => describe(tiles, comparison)) : undefined
  return {
    score(encodedTiles) {
      const pictures = encodedTiles.map(atLeastSmallest)
      const sums = descriptions
        ? descriptions.map((description) => sumsOfErrors(description, pictures))
        : comparisons.map((comparison) => sumsBeside(tiles, comparison, pictures))
      return Math.min(...sums.map((ofBackground) => scoreOf(ofBackground, scales)))
    },
    [Symbol.dispose]() {
      for (const description of descriptions ?? []) release(description)
    },
  }
}

/** A larger original is described for each score, as its description would take more than 80 MB. */
const DESCRIBED_PIXELS = 4_000_000

/** The smallest side that the reference compares. */
const SMALLEST = 8

/** A picture below 8 pixels a side is continued by its last column and row. */
export function atLeastSmallest(raster: Raster): Raster {
  const { data, channels } = raster
  const width = Math.max(SMALLEST, raster.width)
  const height = Math.max(SMALLEST, raster.height)
  if (width === raster.width && height === raster.height) return raster
  const continuedData = new Uint8Array(width * height * channels)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += channels) {
      const from = (Math.min(y, raster.height - 1) * raster.width + Math.min(x, raster.width - 1)) * channels
      continuedData.set(data.subarray(from, from + channels), to)
    }
  }
  return { data: continuedData, width, height, channels }
}
