import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Plane } from '../salience/lab.ts'
import type { Mask } from './regions.ts'

/** Mean over the square of 2 · radius + 1 pixels around each pixel, clipped at the edges; by running sums. */
export function boxMean(plane: Plane, { width, height }: Size, radius: number): Plane {
  const across = new Float32Array(plane.length)
  for (let row = 0; row < height; row++) meanOfLine(plane, across, row * width, 1, width, radius)
  const mean = new Float32Array(plane.length)
  for (let column = 0; column < width; column++) meanOfLine(across, mean, column, width, height, radius)
  return mean
}

function meanOfLine(from: Plane, to: Plane, first: number, step: number, length: number, radius: number): void {
  let sum = 0
  let count = 0
  for (let at = -radius; at < length; at++) {
    const entering = at + radius
    const leaving = at - radius - 1
    if (entering < length) {
      sum += from[first + entering * step] as number
      count++
    }
    if (leaving >= 0) {
      sum -= from[first + leaving * step] as number
      count--
    }
    if (at >= 0) to[first + at * step] = sum / count
  }
}

/** Gradient magnitude over all planes, in their units per pixel, after smoothing. */
export function gradientOf(planes: readonly Plane[], { width, height }: Size): Plane {
  const slopes = new Float32Array(width * height)
  for (const plane of planes) addSlopes(smooth(smooth(plane, width), width), width, height, slopes)
  return slopes.map(Math.sqrt)
}

function addSlopes(plane: Plane, width: number, height: number, slopes: Plane): void {
  for (let row = 0, pixel = 0; row < height; row++) {
    const up = row > 0 ? width : 0
    const down = row < height - 1 ? width : 0
    for (let column = 0; column < width; column++, pixel++) {
      const left = column > 0 ? 1 : 0
      const right = column < width - 1 ? 1 : 0
      const across = (plane[pixel + right] as number) - (plane[pixel - left] as number)
      const along = (plane[pixel + down] as number) - (plane[pixel - up] as number)
      slopes[pixel] = (slopes[pixel] as number) + (across * across + along * along) / 4
    }
  }
}

/** Binomial filter over three samples in each direction; applied twice, it is close to a Gaussian of one pixel. */
function smooth(plane: Plane, width: number): Plane {
  const across = plane.map((value, pixel) => {
    const column = pixel % width
    const left = plane[column > 0 ? pixel - 1 : pixel] as number
    const right = plane[column < width - 1 ? pixel + 1 : pixel] as number
    return (left + 2 * value + right) / 4
  })
  return across.map((value, pixel) => {
    const up = across[pixel >= width ? pixel - width : pixel] as number
    const down = across[pixel < plane.length - width ? pixel + width : pixel] as number
    return (up + 2 * value + down) / 4
  })
}

/** Larger than any distance in a picture; finite, so that it can be interpolated. */
const FAR = 1e4

/** Opacities, 0–255, from which a pixel is certainly subject, and up to which it is certainly background. */
const SURELY_IN = 242
const SURELY_OUT = 13

/** Signed distance to the uncertain zone, in pixels: positive inside the subject, negative outside, 0 in the zone. */
export function sureDistance(opacity: Uint8Array, size: Size): Plane {
  const subject = opacity.map((value) => Number(value >= SURELY_IN))
  const background = opacity.map((value) => Number(value <= SURELY_OUT))
  const inside = distanceTo(subject, 0, size)
  const outside = distanceTo(background, 0, size)
  return inside.map((distance, pixel) => {
    if (subject[pixel]) return distance - 0.5
    return background[pixel] ? 0.5 - (outside[pixel] as number) : 0
  })
}

/** Distance to the nearest pixel of that value, by a chamfer transform with 1 and √2: two passes, at most 8 % too long (Borgefors 1986). */
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
