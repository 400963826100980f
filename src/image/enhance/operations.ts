import { deblur, deblurReach, type Sharpening } from './deblur.ts'
import { DENOISE_REACH, denoise } from './denoise.ts'
import type { Plane } from './planes.ts'
import type { Step } from './step.ts'
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
