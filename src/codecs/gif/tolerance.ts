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
