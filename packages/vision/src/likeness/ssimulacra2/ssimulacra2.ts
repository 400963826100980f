import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { addErrors, type Description, describe, emptySums, type Sums } from './error-maps.ts'
import type { Outside } from './gaussian.ts'
import { scalesOf, scoreOf, termsFor } from './terms.ts'
import { flatten, halve, type Planes, toLinear, toXyb } from './xyb.ts'

/** Scores pictures against the original they were made of. */
export interface Judge {
  /**
   * SSIMULACRA2: 100 for equal pictures, 90 visually lossless, 70 high, 50 medium, 30 low quality; may be negative.
   * @param tiles of the same sizes and in the same order as those of the original
   */
  score(tiles: readonly Raster[]): number
}

/** Greys that a picture with alpha is shown on. The worse score counts. */
const BACKGROUNDS = [128, 255] as const

/**
 * SSIMULACRA 2.1 as cloudinary/ssimulacra2 defines it, for pictures of 8 bits a channel. Its terms whose weights are below
 * 0.003 are left out, since all of them together change a score by less than 0.02.
 * @param original the whole picture as one tile, or several parts of one size, which are scored as one picture without edges
 */
export function judgeOf(original: readonly Raster[]): Judge {
  const scales = Math.min(...original.map(scalesOf))
  const outside = original.length > 1 ? 'nothing' : 'zero'
  const alpha = original.some(({ channels }) => channels === 2 || channels === 4)
  const shownOn = (alpha ? BACKGROUNDS : BACKGROUNDS.slice(0, 1)).map((background) => ({
    background,
    pyramids: original.map((tile) => pyramidOf(tile, background, scales, outside)),
  }))
  return {
    score: (tiles) =>
      Math.min(
        ...shownOn.map(({ background, pyramids }) => {
          const sums = emptySums()
          for (const [nth, pyramid] of pyramids.entries())
            addErrorsOf(sums, pyramid, planesByScale(tiles[nth] as Raster, background, scales))
          return scoreOf(sums, scales)
        }),
      ),
  }
}

/** What comparisons need to know of the original: for each scale, the planes that have terms. */
type Pyramid = readonly (readonly (Description | undefined)[])[]

function pyramidOf(tile: Raster, background: number, scales: number, outside: Outside): Pyramid {
  return planesByScale(tile, background, scales).map(({ planes, ...size }) =>
    planes.map((plane) => plane && describe({ ...size, plane, outside })),
  )
}

function addErrorsOf(sums: Sums, pyramid: Pyramid, encodedPlanes: readonly Planes[]): void {
  for (const [scale, originals] of pyramid.entries()) {
    for (const [nth, original] of originals.entries()) {
      const plane = encodedPlanes[scale]?.planes[nth]
      if (original && plane) addErrors(sums, { scale, plane: nth }, original, plane)
    }
  }
}

/** X, Y and B at each scale, each scale half the size of the one before. Planes without a term are left out. */
function planesByScale(tile: Raster, background: number, scales: number): readonly Planes[] {
  const terms = termsFor(scales)
  const least = 1 + Math.max(...terms.map(({ scale }) => scale))
  const levels: Planes[] = []
  let linear = toLinear(flatten(tile, background))
  for (let scale = 0; scale < least; scale++) {
    if (scale > 0) linear = halve(linear)
    const neededPlanes = [0, 1, 2].map((plane) => terms.some((term) => term.scale === scale && term.plane === plane))
    levels.push(toXyb(linear, neededPlanes))
  }
  return levels
}
