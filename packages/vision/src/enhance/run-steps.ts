import type { Bitmap } from '@pixelmill/codecs/reader'
import { type Area, readTile, writeTile } from './planes.ts'
import type { Step } from './steps.ts'

/** Source pixels that are in memory as floats at a time, besides the margins, which are computed twice. */
const TILE_PIXELS = 2_000_000
const LEAST_ROWS = 128
/** Wider pictures are also split into columns: 65,535 columns would take 0.5 GB for the fewest rows. */
const MOST_COLUMNS = 16_384
/** Tiles begin on multiples of this, so that denoising uses the same blocks as on the whole picture. */
const GRID = 8

interface TileSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Applies all steps tile by tile, without rounding between them. The pixels are the same as without tiles, since each tile is
 * read with a margin as wide as the reach of all steps.
 * @param picture overwritten with the result if no step scales, which saves up to 640 MB
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
      const enhancedTile = steps.reduce((current, step) => step.apply(current), readTile(source, grey, area))
      const inside = { left: left - from, top: top - source.top, width: right - left, height: bottom - top }
      writeTile(enhancedTile, scaleArea(inside, scale), result, { left: left * scale, top: top * scale })
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

/** Rows of the source, copied before the result overwrites them. */
interface Rows extends Bitmap {
  /** The picture's row that is the first of these. */
  readonly top: number
}

/** The rows `top` to `bottom`. Those above `from` may be overwritten already, and are taken from the previous copy. */
function nextRows(before: Rows, picture: Bitmap, top: number, from: number, bottom: number): Rows {
  const stride = picture.width * picture.channels
  const data = samples(picture, (bottom - top) * stride)
  data.set(picture.data.subarray(top * stride, bottom * stride))
  data.set(before.data.subarray((top - before.top) * stride, (from - before.top) * stride))
  return { ...picture, data, top, height: bottom - top }
}

const scaleArea = ({ left, top, width, height }: Area, factor: number): Area => ({
  left: left * factor,
  top: top * factor,
  width: width * factor,
  height: height * factor,
})

/** The reach of all steps together, in pixels of the source. */
function reachOf(steps: readonly Step[]): number {
  let reach = 0
  let scale = 1
  for (const step of steps) {
    reach += step.reach / scale
    scale *= step.scale
  }
  return reach
}
