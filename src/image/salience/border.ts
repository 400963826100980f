import { colourAt, gaussianOf, squaredDistance } from './gaussian.ts'
import type { Lab, Plane } from './lab.ts'
import { normalised } from './normalised.ts'

interface Strip {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The strips along the four edges, each that share of the side deep, and at least two pixels where there are two. */
export function strips(width: number, height: number, share: number): readonly Strip[] {
  const [across, down] = [width, height].map((side) => Math.min(side, Math.max(2, Math.round(share * side)))) as [number, number]
  const whole = { left: 0, top: 0, right: width, bottom: height }
  return [
    { ...whole, bottom: down },
    { ...whole, top: height - down },
    { ...whole, right: across },
    { ...whole, left: width - across },
  ]
}

export function* pixelsOf({ left, top, right, bottom }: Strip, width: number): Generator<number> {
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) yield row * width + column
  }
}

/** Depth of a strip, as the paper has it. */
const SHARE = 0.1

/**
 * How unlike the edges the colours are, 0–1: the Mahalanobis distance to each of the four strips, of which the most
 * unlike one is left out, as the thing itself may reach that edge. The second half of MB+ in the paper of barrier-distance.ts.
 */
export function unlikeBorder(lab: Lab): Plane {
  const { width, height } = lab
  const distances = strips(width, height, SHARE).map((strip) => {
    const gaussian = gaussianOf(lab, pixelsOf(strip, width))
    const distance = new Float32Array(width * height)
    for (let pixel = 0; pixel < distance.length; pixel++)
      distance[pixel] = Math.sqrt(squaredDistance(gaussian, colourAt(lab, pixel)))
    return normalised(distance)
  })
  const unlike = new Float32Array(width * height)
  for (let pixel = 0; pixel < unlike.length; pixel++) {
    const [top = 0, bottom = 0, left = 0, right = 0] = distances.map((distance) => distance[pixel] ?? 0)
    unlike[pixel] = top + bottom + left + right - Math.max(top, bottom, left, right)
  }
  return normalised(unlike)
}
