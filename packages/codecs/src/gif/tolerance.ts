/** Block size of the SSIM that optimize measures. */
export const BLOCK = 8
/** The constant of SSIM, Wang et al. 2004, eq. 13: smaller variances count as uniform. */
const C2 = 58.5225
/** Tuned on dithered and drawn animations. Applies to squared distances, so that a pixel may differ by at most 2.4 times as much. */
const MOST = 6
const EXPONENT = 0.5

/** The largest squared distance for each block of 8 × 8 pixels: larger in blocks with more variance. */
export function tolerances(canvas: Uint32Array, across: number, limit: number): Float32Array {
  const columns = Math.ceil(across / BLOCK)
  const rows = Math.ceil(canvas.length / across / BLOCK)
  const map = new Float32Array(columns * rows)
  for (let block = 0; block < map.length; block++) {
    const left = (block % columns) * BLOCK
    const top = Math.floor(block / columns) * BLOCK
    map[block] = limit * Math.min(MOST, (1 + (2 * variance(canvas, across, left, top)) / C2) ** EXPONENT)
  }
  return map
}

function variance(canvas: Uint32Array, across: number, left: number, top: number): number {
  const right = Math.min(left + BLOCK, across)
  const bottom = Math.min(top + BLOCK, canvas.length / across)
  let sum = 0
  let squares = 0
  for (let y = top; y < bottom; y++) {
    for (let at = y * across + left; at < y * across + right; at++) {
      const colour = canvas[at] ?? 0
      const luma = 0.299 * (colour & 0xff) + 0.587 * ((colour >> 8) & 0xff) + 0.114 * ((colour >> 16) & 0xff)
      sum += luma
      squares += luma * luma
    }
  }
  const pixels = (right - left) * (bottom - top)
  return squares / pixels - (sum / pixels) ** 2
}

/** Distances between the colours of a palette, by index × 256 + index. */
export interface Neighbours {
  readonly colours: number
  readonly distance: Float32Array
  /** For each row, the indices sorted by distance, itself first. */
  readonly sorted: Uint8Array
}

/** Largest number that leaves a byte free for the index. */
const MAX_KEY = 2 ** 24 - 1

export function neighboursOf(colours: readonly number[]): Neighbours {
  const distance = new Float32Array(256 * 256)
  const byDistance = new Uint8Array(256 * 256)
  for (const [index, colour] of colours.entries()) {
    const keys = new Uint32Array(colours.length)
    for (const [other, there] of colours.entries()) {
      const differs = colourDistance(colour, there)
      distance[index * 256 + other] = differs
      // Itself first, then by distance to a hundredth.
      keys[other] = other === index ? other : Math.min(1 + Math.round(differs * 100), MAX_KEY) * 256 + other
    }
    byDistance.set(
      keys.sort().map((key) => key & 0xff),
      index * 256,
    )
  }
  return { colours: colours.length, distance, sorted: byDistance }
}

/** Weight of chroma relative to luma, as in the SSIM that optimize measures: two times one eighth and three quarters. */
const CHROMA = 1 / 6

/** Squared distance of two opaque colours in YCbCr of ITU-R BT.601; adjacent grey levels have a distance of 1. */
export function colourDistance(a: number, b: number): number {
  const red = (a & 0xff) - (b & 0xff)
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff)
  const blue = ((a >> 16) & 0xff) - ((b >> 16) & 0xff)
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue
  const towardsBlue = 0.564 * (blue - luma)
  const towardsRed = 0.713 * (red - luma)
  return luma * luma + CHROMA * (towardsBlue * towardsBlue + towardsRed * towardsRed)
}
