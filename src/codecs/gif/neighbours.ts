import { colourDistance } from './colour-distance.ts'

/** How far the colours of a palette are from each other, by index × 256 + index. */
export interface Neighbours {
  readonly colours: number
  readonly distance: Float32Array
  /** The indices by their distance from the row's, itself first. */
  readonly sorted: Uint8Array
}

/** Largest number that leaves a byte free for the index. */
const MAX_KEY = 2 ** 24 - 1

export function neighboursOf(colours: readonly number[]): Neighbours {
  const distance = new Float32Array(256 * 256)
  const sorted = new Uint8Array(256 * 256)
  for (const [index, colour] of colours.entries()) {
    const keys = new Uint32Array(colours.length)
    for (const [other, there] of colours.entries()) {
      const differs = colourDistance(colour, there)
      distance[index * 256 + other] = differs
      // Itself first, then by distance to a hundredth.
      keys[other] = other === index ? other : Math.min(1 + Math.round(differs * 100), MAX_KEY) * 256 + other
    }
    sorted.set(
      keys.sort().map((key) => key & 0xff),
      index * 256,
    )
  }
  return { colours: colours.length, distance, sorted }
}
