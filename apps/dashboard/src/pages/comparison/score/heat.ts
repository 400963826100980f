import type { ErrorMap } from '@pixelmill/vision/likeness/ssimulacra2/error-map'

/** Red, green, blue and opacity at a score: from an invisible error, which stays clear, to an obvious one. */
export const heatStops = [
  { score: 90, colour: [80, 18, 123, 0] },
  { score: 70, colour: [131, 38, 129, 150] },
  { score: 50, colour: [229, 80, 57, 205] },
  { score: 30, colour: [252, 165, 46, 230] },
  { score: 0, colour: [252, 255, 164, 245] },
] as const

/** RGBA of a picture with one pixel for each block of a map. */
export function heatPixels({ scores }: Pick<ErrorMap, 'scores'>): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * scores.length)
  for (const [block, score] of scores.entries()) pixels.set(colourAt(score), 4 * block)
  return pixels
}

function colourAt(score: number): readonly number[] {
  const next = heatStops.findIndex((stop) => stop.score <= score)
  const lower = heatStops[next] ?? heatStops[heatStops.length - 1]
  const upper = heatStops[next - 1]
  if (next < 0 || !lower || !upper) return lower?.colour ?? []
  const share = (score - lower.score) / (upper.score - lower.score)
  return lower.colour.map((value, channel) => value + share * ((upper.colour[channel] ?? value) - value))
}
