/** Of SSIM as optimize measures it. */
export const BLOCK = 8
/** Of SSIM, Wang et al. 2004, eq. 13: what differs less than this counts as even. */
const C2 = 58.5225
/** Found by trying on dithered and drawn animations: squared, so that a pixel differs by 2.4 times as much at most. */
const [MOST, EXPONENT] = [6, 0.5]

/** The largest squared distance for each block of 8 × 8: in a busy one, more goes unseen. */
export function tolerances(canvas: Uint32Array, across: number, limit: number): Float32Array {
  const [columns, rows] = [Math.ceil(across / BLOCK), Math.ceil(canvas.length / across / BLOCK)]
  const map = new Float32Array(columns * rows)
  for (let block = 0; block < map.length; block++) {
    const [left, top] = [(block % columns) * BLOCK, Math.floor(block / columns) * BLOCK]
    map[block] = limit * Math.min(MOST, (1 + (2 * variance(canvas, across, left, top)) / C2) ** EXPONENT)
  }
  return map
}

function variance(canvas: Uint32Array, across: number, left: number, top: number): number {
  const [right, bottom] = [Math.min(left + BLOCK, across), Math.min(top + BLOCK, canvas.length / across)]
  let [sum, squares] = [0, 0]
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

/** Chroma beside luma: as in the SSIM that optimize measures, one eighth beside three quarters. */
const CHROMA = 1 / 6

/** Of two opaque colours, squared, in YCbCr of ITU-R BT.601; grey levels that differ by one have a distance of 1. */
export function colourDistance(a: number, b: number): number {
  const red = (a & 0xff) - (b & 0xff)
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff)
  const blue = ((a >> 16) & 0xff) - ((b >> 16) & 0xff)
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue
  const [towardsBlue, towardsRed] = [0.564 * (blue - luma), 0.713 * (red - luma)]
  return luma * luma + CHROMA * (towardsBlue * towardsBlue + towardsRed * towardsRed)
}
