import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { guidedModel, nearbyColours } from '@pixelmill/kernels/boxes'
import type { MatteMaps } from '@pixelmill/kernels/matte'
import type { Plane } from '../salience/lab.ts'
import { sureDistance } from './plane-filters.ts'

/** Radius in which the colours of subject and background are averaged. */
const REACH = 10
/** Signed distance, in pixels of the small picture, from which a pixel is all subject, and below which it is all background. */
const SURELY_IN = 2
const SURELY_OUT = -1.5
/** Of the guided filter: the radius of its boxes in pixels, and a standard deviation of 0.01 of the range. */
const GUIDANCE = { radius: 4, epsilon: 1e-4 } as const

/**
 * @param small RGB
 * @param opacity of each of its pixels, 0–255; in between where the segmentation is uncertain
 */
export function matteMaps(small: Raster, opacity: Uint8Array): MatteMaps {
  const { width, height } = small
  const size = { width, height }
  const colours = coloursOf(small)
  const guide = colours.map(inUnits) as [Plane, Plane, Plane]
  const distance = sureDistance(opacity, size)
  const { red, green, blue, constant } = guidedModel(guide, inUnits(opacity), size, GUIDANCE)
  const nearby = (isPure: (distance: number) => boolean): readonly Plane[] => {
    const counts = new Float32Array(distance.length)
    for (let pixel = 0; pixel < counts.length; pixel++) counts[pixel] = isPure(distance[pixel] as number) ? 1 : 0
    const { colours: means, share, squares } = nearbyColours(colours, counts, size, REACH)
    return [...means, share, squares]
  }
  const model = [...[red, green, blue].map(inUnits), constant]
  const subject = nearby((value) => value > SURELY_IN)
  const background = nearby((value) => value < SURELY_OUT)
  return { width, height, planes: [distance, ...model, ...subject, ...background] }
}

/** Red, green and blue, 0–255. */
function coloursOf({ data, width, height, channels }: Raster): [Plane, Plane, Plane] {
  const planes = [0, 1, 2].map(() => new Float32Array(width * height)) as [Plane, Plane, Plane]
  for (const [channel, plane] of planes.entries())
    for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = data[pixel * channels + channel] as number
  return planes
}

function inUnits(levels: Plane | Uint8Array): Plane {
  const units = new Float32Array(levels.length)
  for (let at = 0; at < units.length; at++) units[at] = (levels[at] as number) / 255
  return units
}
