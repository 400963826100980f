import { gaussianOf, squaredDistances } from './gaussian.ts'
import type { Lab, Plane } from './lab.ts'
import { normalised } from './normalised.ts'
import { strips } from './strips.ts'

/** Depth of a strip, as the paper has it. */
const SHARE = 0.1

/**
 * How unlike the edges the colours are, 0–1: the Mahalanobis distance to each of the four strips, of which the most
 * unlike one is left out, as the thing itself may reach that edge. The second half of MB+ in the paper of barrier-distance.ts.
 */
export function unlikeBorder(lab: Lab): Plane {
  const { width, height } = lab
  const [sum, most] = [new Float32Array(width * height), new Float32Array(width * height)]
  for (const strip of strips(width, height, SHARE)) {
    const distance = normalised(squaredDistances(gaussianOf(lab, strip), lab).map(Math.sqrt))
    for (let pixel = 0; pixel < sum.length; pixel++) {
      const unlike = distance[pixel] ?? 0
      sum[pixel] = (sum[pixel] ?? 0) + unlike
      if (unlike > (most[pixel] ?? 0)) most[pixel] = unlike
    }
  }
  for (let pixel = 0; pixel < sum.length; pixel++) sum[pixel] = (sum[pixel] ?? 0) - (most[pixel] ?? 0)
  return normalised(sum)
}
