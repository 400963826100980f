import type { Raster } from '../image/raster.ts'
import type { Size } from '../image/size.ts'
import { pipelineOf } from '../image/strip.ts'
import { type Placement, type Point, traced } from './placement.ts'
import type { GainMapValues } from './values.ts'

/** A decoded map, whose samples 0 to 255 mean what the values say. */
export interface Map8 extends Raster {
  readonly values: GainMapValues
}

/**
 * The map of a result: it follows its picture through all steps. Where nothing of the source is left, the gain is none.
 * @param source size of the picture that the map belongs to, as displayed
 * @param result size of the picture after the steps
 */
export async function movedMap(map: Map8, source: Size, placements: readonly Placement[], result: Size): Promise<Map8> {
  const ratio = Math.max(1, source.width / map.width)
  const size = { width: Math.max(1, Math.round(result.width / ratio)), height: Math.max(1, Math.round(result.height / ratio)) }
  const at = (column: number, row: number) =>
    traced(placements, ((column + 0.5) * result.width) / size.width, ((row + 0.5) * result.height) / size.height)
  const small = await shrunk(map, source, at, size)
  const neutral = map.values.channels.map(neutralSample)
  const data = new Uint8Array(size.width * size.height * small.channels)
  for (let row = 0; row < size.height; row++)
    for (let column = 0; column < size.width; column++) {
      const point = at(column, row)
      for (let channel = 0; channel < small.channels; channel++) {
        const none = neutral[channel] ?? neutral[0] ?? 0
        data[(row * size.width + column) * small.channels + channel] = point ? mixed(small, source, point, channel, none) : none
      }
    }
  return { ...size, channels: small.channels, data, values: map.values }
}

/** The sample that means no gain, or the one nearest to it. */
export const neutralSample = ({ min, max, gamma }: GainMapValues['channels'][number]): number => {
  const share = max > min ? Math.min(1, Math.max(0, -min / (max - min))) : 0
  return Math.round(255 * share ** gamma)
}

/** Gains are averaged as samples, since both are logarithms. */
function mixed(map: Raster, source: Size, [x, y, share = 1]: Point, channel: number, none: number): number {
  const sample = bilinear(map, (x * map.width) / source.width - 0.5, (y * map.height) / source.height - 0.5, channel)
  return Math.round(none + (sample - none) * share)
}

function bilinear({ data, width, height, channels }: Raster, x: number, y: number, channel: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const sample = (column: number, row: number): number => {
    const [inColumn, inRow] = [Math.min(width - 1, Math.max(0, column)), Math.min(height - 1, Math.max(0, row))]
    return data[(inRow * width + inColumn) * channels + channel] as number
  }
  const [across, down] = [x - left, y - top]
  const above = sample(left, top) * (1 - across) + sample(left + 1, top) * across
  const below = sample(left, top + 1) * (1 - across) + sample(left + 1, top + 1) * across
  return above * (1 - down) + below * down
}

/** So much smaller that neighbours of the result are neighbours in the map: the sampling above would leave out what lies between. */
async function shrunk(
  map: Raster,
  source: Size,
  at: (column: number, row: number) => Point | undefined,
  size: Size,
): Promise<Raster> {
  const middle = [size.width / 2, size.height / 2] as const
  const [here, right, below] = [at(...middle), at(middle[0] + 1, middle[1]), at(middle[0], middle[1] + 1)]
  if (!here || !right || !below) return map
  const step = (point: Point) =>
    Math.hypot(((point[0] - here[0]) * map.width) / source.width, ((point[1] - here[1]) * map.height) / source.height)
  const factor = Math.max(step(right), step(below))
  if (factor <= 1.2) return map
  const to = { width: Math.max(1, Math.round(map.width / factor)), height: Math.max(1, Math.round(map.height / factor)) }
  const channels = map.channels === 1 ? 1 : 3
  const { data, info } = await pipelineOf({ ...map, channels, frames: 1 })
    .resize({ ...to, fit: 'fill' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, ...to, channels: info.channels }
}
