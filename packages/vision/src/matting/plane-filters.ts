import type { Size } from '@pixelmill/codecs/pixels/size'
import { blurredRows } from '@pixelmill/kernels/filters'
import { filterPlane } from '@pixelmill/kernels/rows'
import type { Plane } from '../salience/lab.ts'
import type { Mask } from './regions.ts'

/** Binomial filter over three samples in each direction; applied twice, it is close to a Gaussian of one pixel. */
const BINOMIAL = [0.5, 0.25] as const

/** Gradient magnitude over all planes, in their units per pixel, after smoothing. */
export function gradientOf(planes: readonly Plane[], { width, height }: Size): Plane {
  const slopes = new Float32Array(width * height)
  for (const plane of planes) {
    const smooth = filterPlane(plane, width, height, (workspace, rows) =>
      blurredRows(workspace, blurredRows(workspace, rows, { half: BINOMIAL }), { half: BINOMIAL }),
    )
    addSlopes(smooth, width, height, slopes)
  }
  for (let pixel = 0; pixel < slopes.length; pixel++) slopes[pixel] = Math.sqrt(slopes[pixel] as number)
  return slopes
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

/** Larger than any distance in a picture; finite, so that it can be interpolated. */
const FAR = 1e4

/** Opacities, 0–255, from which a pixel is certainly subject, and up to which it is certainly background. */
const SURELY_IN = 242
const SURELY_OUT = 13

/** Signed distance to the uncertain zone, in pixels: positive inside the subject, negative outside, 0 in the zone. */
export function sureDistance(opacity: Uint8Array, size: Size): Plane {
  const subject = new Uint8Array(opacity.length)
  const background = new Uint8Array(opacity.length)
  for (let pixel = 0; pixel < opacity.length; pixel++) {
    subject[pixel] = (opacity[pixel] as number) >= SURELY_IN ? 1 : 0
    background[pixel] = (opacity[pixel] as number) <= SURELY_OUT ? 1 : 0
  }
  const inside = distanceTo(subject, 0, size)
  const outside = distanceTo(background, 0, size)
  const signedDistance = new Float32Array(opacity.length)
  for (let pixel = 0; pixel < signedDistance.length; pixel++) {
    if (subject[pixel]) signedDistance[pixel] = (inside[pixel] as number) - 0.5
    else if (background[pixel]) signedDistance[pixel] = 0.5 - (outside[pixel] as number)
  }
  return signedDistance
}

/** Distance to the nearest pixel of that value, by a chamfer transform with 1 and √2: two passes, at most 8 % too long (Borgefors 1986). */
export function distanceTo(mask: Mask, value: 0 | 1, { width, height }: Size): Plane {
  // A margin that is far from everything makes checks at the edges unnecessary.
  const stride = width + 2
  const distance = new Float32Array(stride * (height + 2)).fill(FAR)
  for (let row = 0, pixel = 0; row < height; row++)
    for (let at = (row + 1) * stride + 1, end = at + width; at < end; at++, pixel++) if (mask[pixel] === value) distance[at] = 0
  for (let row = 1; row <= height; row++)
    for (let at = row * stride + 1, end = at + width; at < end; at++) approach(distance, at, -1, -stride)
  for (let row = height; row > 0; row--)
    for (let at = row * stride + width, end = row * stride; at > end; at--) approach(distance, at, 1, stride)
  const inside = new Float32Array(width * height)
  for (let row = 0; row < height; row++)
    inside.set(distance.subarray((row + 1) * stride + 1, (row + 1) * stride + 1 + width), row * width)
  return inside
}

/** A pixel is no farther than its neighbours of the row before are, and the one beside it. */
function approach(distance: Plane, at: number, beside: number, back: number): void {
  const straight = Math.min(distance[at + beside] as number, distance[at + back] as number) + 1
  const diagonal = Math.min(distance[at + back + beside] as number, distance[at + back - beside] as number) + Math.SQRT2
  distance[at] = Math.min(distance[at] as number, straight, diagonal)
}
