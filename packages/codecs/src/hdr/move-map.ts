import type { Raster } from '../pixels/raster.ts'
import type { Size } from '../pixels/size.ts'
import { pipelineOf } from '../pixels/strip.ts'
import { type Placement, pathThrough } from './placement.ts'
import type { GainChannel, GainMapValues } from './values.ts'

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
  // Pixels of the result for one sample of its map.
  const wide = result.width / size.width
  const high = result.height / size.height
  const { whole, columns, shareAt } = pathThrough(placements)
  const [a, b, c, d, e, f] = whole
  const pace = (x: number, y: number) => Math.hypot((x * map.width) / source.width, (y * map.height) / source.height)
  const small = await shrunk(map, Math.max(pace(a * wide, d * wide), pace(b * high, e * high)))
  const across = small.width / source.width
  const down = small.height / source.height
  const { channels } = small
  const neutral = Array.from({ length: channels }, (_, channel) => neutralSample(map.values, channel))
  const data = new Uint8Array(size.width * size.height * channels)
  for (let row = 0; row < size.height; row++) {
    const y = (row + 0.5) * high
    const [from, to] = columns(y, result.width)
    for (let column = 0; column < size.width; column++) {
      const x = (column + 0.5) * wide
      const at = (row * size.width + column) * channels
      const isOfSource = x >= from && x <= to
      if (isOfSource) sampleAt(small, (a * x + b * y + c) * across - 0.5, (d * x + e * y + f) * down - 0.5, data, at)
      const share = isOfSource ? (shareAt?.(x, y) ?? 1) : 0
      // Gains are mixed as samples, since both are logarithms.
      for (let channel = 0; share < 1 && channel < channels; channel++) {
        const none = neutral[channel] as number
        data[at + channel] = Math.round(none + ((data[at + channel] as number) - none) * share)
      }
    }
  }
  return { ...size, channels, data, values: map.values }
}

/** The sample that means no gain, or the one nearest to it. */
function neutralSample({ channels }: GainMapValues, channel: number): number {
  const { min, max, gamma } = (channels[channel] ?? channels[0]) as GainChannel
  const share = max > min ? Math.min(1, Math.max(0, -min / (max - min))) : 0
  return Math.round(255 * share ** gamma)
}

/** Writes all channels at a place between samples. */
function sampleAt({ data, width, height, channels }: Raster, x: number, y: number, into: Uint8Array, at: number): void {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const across = x - left
  const down = y - top
  const first = Math.min(width - 1, Math.max(0, left)) * channels
  const second = Math.min(width - 1, Math.max(0, left + 1)) * channels
  const above = Math.min(height - 1, Math.max(0, top)) * width * channels
  const below = Math.min(height - 1, Math.max(0, top + 1)) * width * channels
  for (let channel = 0; channel < channels; channel++) {
    const upper = (data[above + first + channel] as number) * (1 - across) + (data[above + second + channel] as number) * across
    const lower = (data[below + first + channel] as number) * (1 - across) + (data[below + second + channel] as number) * across
    into[at + channel] = upper * (1 - down) + lower * down + 0.5
  }
}

/**
 * So much smaller that neighbours of the result are neighbours in the map: sampling would leave out what lies between.
 * @param factor samples of the map between two of the result
 */
async function shrunk(map: Raster, factor: number): Promise<Raster> {
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
