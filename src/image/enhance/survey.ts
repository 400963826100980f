import type { Bitmap } from '../../codecs/bitmap.ts'
import { denoise } from './denoise.ts'
import { addEdges, addSteepness, type Edges, type Softness, softnessOf, steepnessOf } from './edges.ts'
import { blocksOf, type Noise, noiseOf } from './noise.ts'
import { LIGHT_SCALE, type Plane, readTile, type Tile } from './planes.ts'

/** What is to be known of a picture before anything is done to it. */
export interface Survey {
  /** Of each plane, on a scale of 0–255. */
  readonly noise: readonly Noise[]
  readonly softness: Softness
  /** 0 to 1 and more: how much of an edge is in its steepest pixel; see `addSteepness`. */
  readonly steepness: number
}

/** Half a million pixels tell as much as all of them, in bands from all over the picture. */
const PIXELS = 500_000
const BAND_ROWS = 64
/** Above this a band of 64 rows may be all that half a million pixels hold: windows from all over a larger picture tell more. */
const LARGE_PIXELS = 24_000_000
const WINDOWS = 16
const WINDOW_COLUMNS = 1_024
/** Multiples of it, less whole numbers, spread evenly over 0 to 1. */
const GOLDEN = 0.618_034
/** Noise that passes for sharp edges. */
const DISTURBING = 0.5

export function survey(picture: Bitmap, grey: boolean): Survey {
  const bands = sampled(picture, grey).map((band) => ({ ...band, light: lightOf(band) }))
  const planes = bands[0]?.planes ?? []
  const noise = withoutTexture(
    planes.map((_, plane) =>
      noiseOf(bands.flatMap((band) => blocksOf(band.planes[plane] as Plane, band.light, band.width, band.height, band.alpha))),
    ),
  )
  const inLight = (noise[0]?.deviation ?? 0) / (planes.length > 1 ? LIGHT_SCALE : 1)
  const edges: Edges = [[], [], [], []]
  const shares: number[] = []
  for (const { light, width, height, alpha } of bands) {
    const calm = inLight > DISTURBING ? denoise(light, width, height, { sigma: inLight, stride: 4 }) : light
    addEdges(edges, calm, width, height, alpha)
    addSteepness(shares, calm, width, height)
  }
  return { noise, softness: softnessOf(edges), steepness: steepnessOf(shares) }
}

/**
 * A sensor's noise is as strong in colour as in brightness; texture is not, and brightness that seems noisier is textured. JPEG
 * takes noise out of colour: where there is little of it, that says nothing.
 */
function withoutTexture(noise: readonly Noise[]): readonly Noise[] {
  const [light, ...colours] = noise
  const colour = Math.max(0, ...colours.map(({ deviation }) => deviation))
  if (!light || colour < light.deviation / 2) return noise
  return [{ ...light, deviation: Math.min(light.deviation, 1.3 * colour) }, ...colours]
}

const lightOf = ({ planes }: Tile): Plane => (planes.length > 1 ? planes[0].map((sample) => sample / LIGHT_SCALE) : planes[0])

function sampled(picture: Bitmap, grey: boolean): readonly Tile[] {
  const { width, height } = picture
  if (width * height > LARGE_PIXELS) return windows(picture, grey)
  const count = Math.max(1, Math.floor(PIXELS / (width * BAND_ROWS)))
  if (count * BAND_ROWS >= height) return [readTile(picture, grey, { left: 0, top: 0, width, height })]
  return Array.from({ length: count }, (_, index) => {
    const top = Math.floor(((index + 0.5) * height) / count - BAND_ROWS / 2)
    return readTile(picture, grey, { left: 0, top, width, height: BAND_ROWS })
  })
}

/** Evenly down the picture, and across it by the golden ratio, so that no two rows of windows are alike. */
function windows(picture: Bitmap, grey: boolean): readonly Tile[] {
  const [width, height] = [Math.min(picture.width, WINDOW_COLUMNS), Math.min(picture.height, BAND_ROWS)]
  return Array.from({ length: WINDOWS }, (_, index) => {
    const left = Math.floor(((index * GOLDEN) % 1) * (picture.width - width))
    const top = Math.floor(((index + 0.5) / WINDOWS) * (picture.height - height))
    return readTile(picture, grey, { left, top, width, height })
  })
}
