import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { libvips, sharp } from '@pixelmill/codecs/sharp'

/** Colours of a palette. */
export const PALETTE_COLOURS = 5

/** A pixel counts as visible from this alpha on. */
const VISIBLE = 128

/** libvips reduces to a power of two: these are then merged. */
const REDUCED = 16

interface Cluster {
  readonly mean: readonly number[]
  readonly pixels: number
}

/**
 * The colours that stand for a small picture, the most frequent first, as #rrggbb: at most PALETTE_COLOURS, fewer of a picture with
 * fewer, none of one that is transparent everywhere. Transparent pixels do not count.
 * @param picture RGBA
 */
export async function paletteOf(picture: Raster): Promise<string[]> {
  const visible = visibleOf(picture)
  if (visible.length === 0) return []
  let clusters = await reduceColours(visible)
  while (clusters.length > PALETTE_COLOURS) clusters = mergeClusters(clusters)
  return clusters.toSorted((one, other) => other.pixels - one.pixels).map(({ mean }) => hexOf(mean))
}

const hexOf = (mean: readonly number[]): string =>
  `#${mean.map((level) => Math.round(level).toString(16).padStart(2, '0')).join('')}`

/** At most REDUCED colours, by libimagequant. */
async function reduceColours(colours: Uint8Array): Promise<readonly Cluster[]> {
  const raw = { width: colours.length / 3, height: 1, channels: 3 } as const
  const options = { palette: true, colours: REDUCED, dither: 0, effort: 7 } as const
  const palettePng = await sharp(colours, { raw }).png(options).toBuffer()
  const { data, info } = await libvips()(palettePng).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = data.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts].map(([colour, pixels]) => ({ mean: [colour >> 16, (colour >> 8) & 255, colour & 255], pixels }))
}

/** Joins the two clusters whose union has the least variance in addition (Ward 1963). */
function mergeClusters(clusters: readonly Cluster[]): readonly Cluster[] {
  const pairs = clusters.flatMap((one, index) =>
    clusters.slice(index + 1).map((other) => ({ one, other, cost: costOf(one, other) })),
  )
  const { one, other } = pairs.reduce((best, pair) => (pair.cost < best.cost ? pair : best))
  const pixels = one.pixels + other.pixels
  const mean = one.mean.map((level, channel) => (level * one.pixels + (other.mean[channel] ?? 0) * other.pixels) / pixels)
  return [...clusters.filter((each) => each !== one && each !== other), { mean, pixels }]
}

function costOf(one: Cluster, other: Cluster): number {
  const squares = one.mean.map((level, channel) => (level - (other.mean[channel] ?? 0)) ** 2)
  return ((one.pixels * other.pixels) / (one.pixels + other.pixels)) * squares.reduce((sum, square) => sum + square)
}

/** The colours of the visible pixels, without alpha. */
function visibleOf({ data, width, height }: Raster): Uint8Array {
  const colours = new Uint8Array(width * height * 3)
  let end = 0
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] as number) < VISIBLE) continue
    colours.set(data.subarray(at, at + 3), end)
    end += 3
  }
  return colours.subarray(0, end)
}
