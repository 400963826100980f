import type { Bitmap } from '../../codecs/bitmap.ts'
import { type Area, readTile, writeTile } from './planes.ts'
import type { Step } from './steps.ts'

/** Pixels of the source that are in memory as numbers at a time, beside the margins, which are worked on twice. */
const TILE_PIXELS = 2_000_000
const LEAST_ROWS = 128
/** A wider picture is cut in columns too: one of 65,535 columns would take 0.5 GB for the least rows. */
const MOST_COLUMNS = 16_384
/** Tiles begin on multiples of this, where the blocks of the whole picture would. */
const GRID = 8

interface TileSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Does all steps to a tile at a time, so that nothing is rounded between them. The result has the same pixels as without tiles: each
 * is read with a margin as wide as the steps reach.
 * @param picture where no step scales, the result is written into it, which saves up to 640 MB
 */
export function runSteps(picture: Bitmap, grey: boolean, steps: readonly Step[], tile = tileSizeOf(picture)): Bitmap {
  const { width, height } = picture
  const scale = steps.reduce((product, step) => product * step.scale, 1)
  const result = scale === 1 ? picture : blank(picture, scale)
  const reach = Math.ceil(reachOf(steps) / GRID) * GRID
  let source: Rows = { ...picture, height: 0, top: 0 }
  for (let top = 0; top < height; top += tile.rows) {
    const bottom = Math.min(height, top + tile.rows)
    source = nextRows(source, picture, Math.max(0, top - reach), top, Math.min(height, bottom + reach))
    for (let left = 0; left < width; left += tile.columns) {
      const right = Math.min(width, left + tile.columns)
      const from = Math.max(0, left - reach)
      const area = { left: from, top: 0, width: Math.min(width, right + reach) - from, height: source.height }
      const done = steps.reduce((current, step) => step.apply(current), readTile(source, grey, area))
      const inside = { left: left - from, top: top - source.top, width: right - left, height: bottom - top }
      writeTile(done, scaled(inside, scale), result, { left: left * scale, top: top * scale })
    }
  }
  return result
}

function tileSizeOf({ width }: Bitmap): TileSize {
  const columns = Math.min(width, MOST_COLUMNS)
  return { columns, rows: Math.max(LEAST_ROWS, Math.round(TILE_PIXELS / columns / GRID) * GRID) }
}

function blank(picture: Bitmap, scale: number): Bitmap {
  const { width, height, channels } = picture
  const data = samples(picture, width * height * scale * scale * channels)
  return { width: width * scale, height: height * scale, channels, data }
}

const samples = ({ data }: Bitmap, length: number) =>
  data.BYTES_PER_ELEMENT === 2 ? new Uint16Array(length) : new Uint8Array(length)

/** Rows of the source, copied before the result may be written over them. */
interface Rows extends Bitmap {
  /** The row of the picture that is the first of these. */
  readonly top: number
}

/** The rows `top` to `bottom`: those above `from` may have been written over, and are taken from the rows before. */
function nextRows(before: Rows, picture: Bitmap, top: number, from: number, bottom: number): Rows {
  const stride = picture.width * picture.channels
  const data = samples(picture, (bottom - top) * stride)
  data.set(picture.data.subarray(top * stride, bottom * stride))
  data.set(before.data.subarray((top - before.top) * stride, (from - before.top) * stride))
  return { ...picture, data, top, height: bottom - top }
}

const scaled = ({ left, top, width, height }: Area, factor: number): Area => ({
  left: left * factor,
  top: top * factor,
  width: width * factor,
  height: height * factor,
})

/** In pixels of the source. */
function reachOf(steps: readonly Step[]): number {
  let [reach, scale] = [0, 1]
  for (const step of steps) {
    reach += step.reach / scale
    scale *= step.scale
  }
  return reach
}
