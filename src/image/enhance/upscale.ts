import type { Plane } from './planes.ts'
import { doubled, halved } from './polyphase.ts'

/** How often what is missing is put back: a third time gains nothing more. */
const PASSES = 2

/** Rows of the source that reach into a result from above and below: of Lanczos-3, and of two passes there and back. */
export const UPSCALE_REACH = 16

/** Twice as many samples each way by Lanczos-3, the edges of both pictures in the same place. */
export const enlarge = (plane: Plane, width: number, height: number): Plane => doubled(plane, width, height, 'lanczos3')

/**
 * Iterative back-projection (Irani and Peleg, "Improving resolution by image registration", 1991): the enlarged picture made
 * small again should be the picture; where it is not, the difference is enlarged and added.
 */
export function upscale(plane: Plane, width: number, height: number): Plane {
  const result = enlarge(plane, width, height)
  for (let pass = 0; pass < PASSES; pass++) {
    const missing = halved(result, width, height)
    for (let i = 0; i < missing.length; i++) missing[i] = (plane[i] as number) - (missing[i] as number)
    const enlarged = doubled(missing, width, height, 'cubic')
    for (let i = 0; i < result.length; i++) result[i] = (result[i] as number) + (enlarged[i] as number)
  }
  return result
}
