import type { Plane } from './lab.ts'

/** The values stretched to 0–1, in place; all 0 where they are all the same. */
export function normalised(plane: Plane): Plane {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of plane) {
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  const scale = highest > lowest ? 1 / (highest - lowest) : 0
  for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = ((plane[pixel] ?? 0) - lowest) * scale
  return plane
}
