import type { Size } from '../result-size.ts'
import type { Plane } from '../salience/lab.ts'
import type { Mask } from './regions.ts'

/** Farther than any pixel of a picture; finite, so that it can be interpolated. */
const FAR = 1e4

/** Opacities, 0–255, from which on a pixel is surely of the subject, and up to which it is surely of the background. */
const [SURELY_IN, SURELY_OUT] = [242, 13]

/** Distance in pixels to where it is less sure: positive inside the subject, negative outside, 0 where neither is sure. */
export function sureDistance(opacity: Uint8Array, size: Size): Plane {
  const [subject, background] = [
    opacity.map((value) => Number(value >= SURELY_IN)),
    opacity.map((value) => Number(value <= SURELY_OUT)),
  ]
  const [inside, outside] = [distanceTo(subject, 0, size), distanceTo(background, 0, size)]
  return inside.map((distance, pixel) => {
    if (subject[pixel]) return distance - 0.5
    return background[pixel] ? 0.5 - (outside[pixel] as number) : 0
  })
}

/** Distance to the nearest pixel of that value, by a chamfer of 1 and √2: two passes, at most 8 % too far (Borgefors 1986). */
export function distanceTo(mask: Mask, value: 0 | 1, { width, height }: Size): Plane {
  const distance = Float32Array.from(mask, (at) => (at === value ? 0 : FAR))
  const pass = (first: number, step: 1 | -1) => {
    for (let count = 0, pixel = first; count < distance.length; count++, pixel += step) {
      const column = pixel % width
      const row = (pixel - column) / width
      const [before, after] = step > 0 ? [column > 0, column < width - 1] : [column < width - 1, column > 0]
      const above = step > 0 ? row > 0 : row < height - 1
      const back = pixel - step * width
      let nearest = distance[pixel] as number
      if (before) nearest = Math.min(nearest, (distance[pixel - step] as number) + 1)
      if (above) nearest = Math.min(nearest, (distance[back] as number) + 1)
      if (above && before) nearest = Math.min(nearest, (distance[back - step] as number) + Math.SQRT2)
      if (above && after) nearest = Math.min(nearest, (distance[back + step] as number) + Math.SQRT2)
      distance[pixel] = nearest
    }
  }
  pass(0, 1)
  pass(distance.length - 1, -1)
  return distance
}
