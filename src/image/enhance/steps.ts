import { DENOISE_REACH, denoise } from './denoise.ts'
import { gaussian, gaussianReach } from './gaussian.ts'
import type { Plane, Tile } from './planes.ts'
import { enlarge, UPSCALE_REACH, upscale } from './upscale.ts'

/** What was found worth doing, with the numbers it is done with. Noise is a deviation for each plane, 0–255. */
export type Operation =
  | { readonly name: 'denoise'; readonly params: { readonly noise: readonly number[]; readonly stride: 2 | 4 } }
  | { readonly name: 'deblur'; readonly params: Sharpening & { readonly sigma: number } }
  | { readonly name: 'upscale'; readonly params: { readonly factor: 2; readonly backProjection: boolean } }

/** How each is done. Only brightness is sharpened: eyes see no detail in colour, and cameras record half of it. */
const steps: { readonly [Name in Operation['name']]: (params: Extract<Operation, { name: Name }>['params']) => Step } = {
  denoise: ({ noise, stride }) => ({
    reach: DENOISE_REACH,
    scale: 1,
    apply(tile) {
      const clean = (plane: Plane, at: number) => denoise(plane, tile.width, tile.height, { sigma: noise[at] ?? 0, stride })
      const [light, ...colours] = tile.planes
      return { ...tile, planes: [clean(light, 0), ...colours.map((plane, at) => clean(plane, at + 1))] }
    },
  }),
  deblur: ({ sigma, alpha, beta }) => ({
    reach: deblurReach(sigma),
    scale: 1,
    apply(tile) {
      const [light, ...colours] = tile.planes
      return { ...tile, planes: [deblur(light, tile.width, tile.height, sigma, { alpha, beta }), ...colours] }
    },
  }),
  upscale: ({ backProjection }) => ({
    reach: UPSCALE_REACH,
    scale: 2,
    apply({ width, height, planes, alpha }) {
      const larger = (plane: Plane) => enlarge(plane, width, height)
      const [light, ...colours] = planes
      return {
        width: 2 * width,
        height: 2 * height,
        planes: [backProjection ? upscale(light, width, height) : larger(light), ...colours.map(larger)],
        alpha: alpha && larger(alpha),
      }
    },
  }),
}

export const stepOf = ({ name, params }: Operation): Step => (steps[name] as (params: Operation['params']) => Step)(params)

/** One thing done to a picture, tile by tile. */
export interface Step {
  /** Pixels that reach into a result from each side. */
  readonly reach: number
  /** How many times as wide and as high the result is. */
  readonly scale: 1 | 2
  apply(tile: Tile): Tile
}

/** Farther than any other step reaches with effect. */
const SIGMA = 4

/**
 * Gives fully transparent pixels the colour of what is visible around them, so that what nobody can see, often black, is not
 * mixed into what one can: a mean weighed by opacity (normalised convolution, Knutsson and Westin 1993).
 */
export const fillHidden: Step = {
  reach: gaussianReach(SIGMA),
  scale: 1,
  apply(tile) {
    const { alpha, width, height } = tile
    if (!alpha?.some((opacity) => opacity === 0)) return tile
    const weight = gaussian(alpha, width, height, SIGMA)
    const filled = (plane: Plane) => fill(plane, alpha, weight, tile)
    const [light, ...colours] = tile.planes
    return { ...tile, planes: [filled(light), ...colours.map(filled)] }
  },
}

function fill(plane: Plane, alpha: Plane, weight: Plane, { width, height }: Tile): Plane {
  const sums = gaussian(
    plane.map((sample, i) => sample * (alpha[i] as number)),
    width,
    height,
    SIGMA,
  )
  return plane.map((sample, i) => {
    if (alpha[i] !== 0) return sample
    const around = weight[i] as number
    return around > 0 ? (sums[i] as number) / around : 0
  })
}

/** How a polynomial sharpens: `alpha` lifts what is of middle size, `beta` what is fine. */
export interface Sharpening {
  readonly alpha: number
  readonly beta: number
}

/** Blurred three times over. */
export const deblurReach = (sigma: number): number => 3 * gaussianReach(sigma)

/**
 * Polynomial reblurring (Delbracio, Garcia-Dorado, Choi, Kelly and Milanfar, "Polyblur", 2021, eq. 21): the inverse of a mild
 * blur, written as a polynomial of the blur itself, so that nothing is divided by what may be zero. In Horner's form, three
 * blurs of the same Gaussian.
 */
export function deblur(plane: Plane, width: number, height: number, sigma: number, { alpha, beta }: Sharpening): Plane {
  const [cubic, square, linear] = [alpha / 2 - beta + 2, 3 * beta - alpha - 6, 5 - 3 * beta + alpha / 2]
  const blurred = (of: Plane) => gaussian(of, width, height, sigma)
  const first = weighted(plane, square, blurred(plane), cubic)
  const second = weighted(plane, linear, blurred(first), 1)
  return weighted(plane, beta, blurred(second), 1)
}

/** The second plane is overwritten. */
function weighted(plane: Plane, factor: number, result: Plane, resultFactor: number): Plane {
  for (let i = 0; i < plane.length; i++) result[i] = factor * (plane[i] as number) + resultFactor * (result[i] as number)
  return result
}
