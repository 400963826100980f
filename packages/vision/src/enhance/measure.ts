import type { Bitmap } from '@pixelmill/codecs/reader'
import { denoise } from './denoise.ts'
import { addEdges, addSteepness, type Edges, type Softness, softnessOf, steepnessOf } from './edges.ts'
import { blocksOf, type Noise, noiseOf } from './noise.ts'
import { LIGHT_SCALE, type Plane, readTile, type Tile } from './planes.ts'

/** The measurements that determine the choice of filters. */
export interface Measurements {
  /** For each plane, on a scale of 0–255. */
  readonly noise: readonly Noise[]
  readonly softness: Softness
  /** From 0 to slightly above 1: the share of an edge in its steepest pixel; see `addSteepness`. */
  readonly steepness: number
}

/** Half a million pixels, in bands from all over the picture, are as good as all of them. */
const PIXELS = 500_000
const BAND_ROWS = 64
/** Above this size, half a million pixels may be a single band: then windows from all over the picture are better. */
const LARGE_PIXELS = 24_000_000
const WINDOWS = 16
const WINDOW_COLUMNS = 1_024
/** The fractional parts of its multiples spread evenly over 0 to 1. */
const GOLDEN = 0.618_034
/** From this deviation on, noise is mistaken for sharp edges, and is removed before edges are measured. */
const NOISE_LIKE_EDGES = 0.5

export function measurePicture(picture: Bitmap, grey: boolean): Measurements {
  const bands = sampleTiles(picture, grey).map((band) => ({ ...band, light: lightOf(band) }))
  const planes = bands[0]?.planes ?? []
  const noise = withoutTexture(
    planes.map((_, plane) =>
      noiseOf(bands.flatMap((band) => blocksOf(band.planes[plane] as Plane, band.light, band.width, band.height, band.alpha))),
    ),
  )
  const lightNoise = (noise[0]?.deviation ?? 0) / (planes.length > 1 ? LIGHT_SCALE : 1)
  const edges: Edges = [[], [], [], []]
  const shares: number[] = []
  for (const { light, width, height, alpha } of bands) {
    const smooth = lightNoise > NOISE_LIKE_EDGES ? denoise(light, width, height, { sigma: lightNoise, stride: 4 }) : light
    addEdges(edges, smooth, width, height, alpha)
    addSteepness(shares, smooth, width, height)
  }
  return { noise, softness: softnessOf(edges), steepness: steepnessOf(shares) }
}

/**
 * Sensor noise is as strong in colour as in brightness; if brightness seems noisier, the rest is texture. JPEG removes noise
 * from colour, so little noise in colour proves nothing.
 */
function withoutTexture(noise: readonly Noise[]): readonly Noise[] {
  const [light, ...colours] = noise
  const colour = Math.max(0, ...colours.map(({ deviation }) => deviation))
  if (!light || colour < light.deviation / 2) return noise
  return [{ ...light, deviation: Math.min(light.deviation, 1.3 * colour) }, ...colours]
}

const lightOf = ({ planes }: Tile): Plane => (planes.length > 1 ? planes[0].map((sample) => sample / LIGHT_SCALE) : planes[0])

function sampleTiles(picture: Bitmap, grey: boolean): readonly Tile[] {
  const { width, height } = picture
  if (width * height > LARGE_PIXELS) return windows(picture, grey)
  const count = Math.max(1, Math.floor(PIXELS / (width * BAND_ROWS)))
  if (count * BAND_ROWS >= height) return [readTile(picture, grey, { left: 0, top: 0, width, height })]
  return Array.from({ length: count }, (_, index) => {
    const top = Math.floor(((index + 0.5) * height) / count - BAND_ROWS / 2)
    return readTile(picture, grey, { left: 0, top, width, height: BAND_ROWS })
  })
}

/** Windows evenly spaced vertically, and by the golden ratio horizontally. */
function windows(picture: Bitmap, grey: boolean): readonly Tile[] {
  const width = Math.min(picture.width, WINDOW_COLUMNS)
  const height = Math.min(picture.height, BAND_ROWS)
  return Array.from({ length: WINDOWS }, (_, index) => {
    const left = Math.floor(((index * GOLDEN) % 1) * (picture.width - width))
    const top = Math.floor(((index + 0.5) / WINDOWS) * (picture.height - height))
    return readTile(picture, grey, { left, top, width, height })
  })
}
