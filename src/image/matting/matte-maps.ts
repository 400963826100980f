import type { Size } from '../result-size.ts'
import type { Plane } from '../salience/lab.ts'
import type { Raster } from '../ssim.ts'
import { boxMean } from './box-mean.ts'
import { sureDistance } from './distance.ts'
import { guidedModel } from './guided-filter.ts'

/** How far from the outline the colours of subject and background are gathered. */
const REACH = 10
/** So far inside, in pixels of the small picture, a pixel is all subject; so far outside, all background. */
const [SURELY_IN, SURELY_OUT] = [2, -1.5]

/** What the small picture says about the large one, pixel by pixel, the numbers of a pixel beside each other. */
export interface MatteMaps extends Size {
  readonly data: Float32Array
}

/**
 * Numbers of a pixel: how deep it is inside (or, negative, outside) for sure; the model of its opacity (red, green, blue in 0–255,
 * constant); and the colours of subject and of background nearby, each 0–255 times how much of it there is, then how much,
 * and the sum of their squares times how much.
 */
export const at = { distance: 0, model: 1, subject: 5, background: 10 } as const
export const NUMBERS = 15

/**
 * @param small RGB
 * @param opacity of each of its pixels, 0–255: half-tones as far as whoever told subject from background is unsure
 */
export function matteMaps(small: Raster, opacity: Uint8Array): MatteMaps {
  const { width, height } = small
  const colours = [0, 1, 2].map((channel) =>
    Float32Array.from({ length: width * height }, (_, pixel) => (small.data[pixel * small.channels + channel] as number) / 255),
  ) as [Plane, Plane, Plane]
  const distance = sureDistance(opacity, small)
  const { red, green, blue, constant } = guidedModel(
    colours,
    Float32Array.from(opacity, (value) => value / 255),
    small,
  )
  const model = [...[red, green, blue].map((plane) => plane.map((weight) => weight / 255)), constant]
  const nearby = (isPure: (distance: number) => boolean): readonly Plane[] => {
    const pure = distance.map((value) => (isPure(value) ? 1 : 0))
    const weighed = colours.map((plane) => plane.map((value, pixel) => value * 255 * (pure[pixel] as number)))
    const squares = pure.map((amount, pixel) => {
      let squared = 0
      for (const plane of colours) squared += (255 * (plane[pixel] as number)) ** 2
      return squared * amount
    })
    return [...weighed, pure, squares].map((plane) => boxMean(plane, small, REACH))
  }
  const planes = [distance, ...model, ...nearby((value) => value > SURELY_IN), ...nearby((value) => value < SURELY_OUT)]
  const data = new Float32Array(width * height * NUMBERS)
  for (const [number, plane] of planes.entries()) {
    for (let pixel = 0; pixel < plane.length; pixel++) data[pixel * NUMBERS + number] = plane[pixel] as number
  }
  return { width, height, data }
}
