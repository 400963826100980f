import { DENOISE_REACH, denoise } from './denoise.ts'
import { gaussian, gaussianReach } from './gaussian.ts'
import type { Plane, Tile } from './planes.ts'
import { enlarge, UPSCALE_REACH, upscale } from './upscale.ts'

/** A filter that can be applied tile by tile. */
export interface Step {
  /** How many pixels on each side of a tile influence its result. */
  readonly reach: number
  /** The result's width and height as a multiple of the tile's. */
  readonly scale: 1 | 2
  apply(tile: Tile): Tile
}

/** A filter with its parameters. Noise is the standard deviation of each plane, 0–255. */
export type Operation =
  | { readonly name: 'denoise'; readonly params: { readonly noise: readonly number[]; readonly stride: 2 | 4 } }
  | { readonly name: 'deblur'; readonly params: Sharpening & { readonly sigma: number } }
  | { readonly name: 'upscale'; readonly params: { readonly factor: 2; readonly backProjection: boolean } }

export const stepOf = ({ name, params }: Operation): Step => (steps[name] as (params: Operation['params']) => Step)(params)

/** Only brightness is sharpened and back-projected: eyes see little detail in colour, and cameras record half of it. */
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

/** Coefficients of the sharpening polynomial: `alpha` boosts middle frequencies, `beta` high ones. */
export interface Sharpening {
  readonly alpha: number
  readonly beta: number
}

/** The polynomial applies three blurs. */
export const deblurReach = (sigma: number): number => 3 * gaussianReach(sigma)

/**
 * Polynomial reblurring (Delbracio, Garcia-Dorado, Choi, Kelly and Milanfar, "Polyblur", 2021, eq. 21): approximates the
 * inverse of a mild blur by a polynomial of that blur, which avoids divisions by values near zero. Evaluated in Horner's form
 * with three blurs by the same Gaussian.
 */
export function deblur(plane: Plane, width: number, height: number, sigma: number, { alpha, beta }: Sharpening): Plane {
  const cubic = alpha / 2 - beta + 2
  const square = 3 * beta - alpha - 6
  const linear = 5 - 3 * beta + alpha / 2
  const blur = (of: Plane) => gaussian(of, width, height, sigma)
  const first = addWeighted(plane, square, blur(plane), cubic)
  const second = addWeighted(plane, linear, blur(first), 1)
  return addWeighted(plane, beta, blur(second), 1)
}

/** The weighted sum of two planes; overwrites the second. */
function addWeighted(plane: Plane, factor: number, result: Plane, resultFactor: number): Plane {
  for (let i = 0; i < plane.length; i++) result[i] = factor * (plane[i] as number) + resultFactor * (result[i] as number)
  return result
}

/** The radius of the fill; beyond it no other step has an effect. */
const FILL_SIGMA = 4

/**
 * Gives fully transparent pixels the colour of the visible ones around them, so that hidden colours, often black, do not bleed
 * into visible ones: a mean weighted by opacity (normalised convolution, Knutsson and Westin 1993).
 */
export const fillHidden: Step = {
  reach: gaussianReach(FILL_SIGMA),
  scale: 1,
  apply(tile) {
    const { alpha, width, height } = tile
    if (!alpha?.some((opacity) => opacity === 0)) return tile
    const weight = gaussian(alpha, width, height, FILL_SIGMA)
    const fillPlane = (plane: Plane) => fill(plane, alpha, weight, tile)
    const [light, ...colours] = tile.planes
    return { ...tile, planes: [fillPlane(light), ...colours.map(fillPlane)] }
  },
}

function fill(plane: Plane, alpha: Plane, weight: Plane, { width, height }: Tile): Plane {
  const weightedPlane = plane.map((sample, i) => sample * (alpha[i] as number))
  const sums = gaussian(weightedPlane, width, height, FILL_SIGMA)
  return plane.map((sample, i) => {
    if (alpha[i] !== 0) return sample
    const around = weight[i] as number
    return around > 0 ? (sums[i] as number) / around : 0
  })
}
