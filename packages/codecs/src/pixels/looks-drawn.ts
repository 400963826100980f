import type { Raster } from './raster.ts'

const BLOCK = 8
const PIXELS = BLOCK * BLOCK

/** Blocks that are sampled, evenly spread: 12 ms of work, whatever the size. */
const MOST_BLOCKS = 4_096

/** A block whose brightness varies by at most this many levels is inconclusive: skies, walls and pages are all flat. */
const FLAT = 16

/** Of a block's 64 pixels, this many have one colour around letters and lines, but not with noise or lens blur. */
const ONE_COLOUR = 16

/**
 * Whether a picture was drawn or typeset rather than photographed. Of the blocks that are not flat, most in a drawing have
 * one colour in at least a quarter of their pixels: at least 58 % in forty screenshots and drawings, at most 30 % in
 * twenty photographs. A picture that is flat everywhere counts as drawn.
 */
export function looksDrawn(raster: Raster): boolean {
  const colours = new Int32Array(PIXELS)
  const step = BLOCK * Math.max(1, Math.round(Math.sqrt((raster.width * raster.height) / PIXELS / MOST_BLOCKS)))
  let drawnTiles = 0
  let photographedTiles = 0
  for (let top = 0; top + BLOCK <= raster.height; top += step) {
    for (let left = 0; left + BLOCK <= raster.width; left += step) {
      if (readBlock(raster, left, top, colours) <= FLAT) continue
      if (mostOften(colours) >= ONE_COLOUR) drawnTiles++
      else photographedTiles++
    }
  }
  return drawnTiles >= photographedTiles
}

/** Reads the colours of a block, 6 bits a channel since JPEG spreads one colour a little; returns its range of brightness. */
function readBlock({ data, width, channels }: Raster, left: number, top: number, colours: Int32Array): number {
  const at = (x: number, y: number) => ((top + y) * width + left + x) * channels
  // Green contributes most to brightness.
  const [red, green, blue] = channels < 3 ? [0, 0, 0] : [0, 1, 2]
  let darkest = 255
  let brightest = 0
  for (let pixel = 0; pixel < PIXELS; pixel++) {
    const first = at(pixel % BLOCK, Math.floor(pixel / BLOCK))
    const r = data[first + red] ?? 0
    const g = data[first + green] ?? 0
    const b = data[first + blue] ?? 0
    darkest = Math.min(darkest, g)
    brightest = Math.max(brightest, g)
    colours[pixel] = ((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2)
  }
  return brightest - darkest
}

/** How often the most frequent number occurs. Sorts them. */
function mostOften(numbers: Int32Array): number {
  numbers.sort()
  let most = 0
  let run = 0
  for (let at = 0; at < numbers.length; at++) {
    run = at > 0 && numbers[at] === numbers[at - 1] ? run + 1 : 1
    most = Math.max(most, run)
  }
  return most
}
