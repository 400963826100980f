import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { barrierDistance } from './barrier-distance.ts'
import { foreignToBorder, unlikeBorder } from './border-cues.ts'
import { type Lab, labOf, normalise, type Plane } from './lab.ts'

/** Longest side of the picture for salience: enough to locate things, in a fraction of a second. */
export const SALIENCE_SIDE = 256

/** Weights of the cues. By the measurements in docs/quality.md, no cue alone is as reliable as these together. */
const cues = [
  { weight: 0.4, of: (lab: Lab) => normalise(barrierDistance(lab)) },
  { weight: 0.35, of: foreignToBorder },
  { weight: 0.25, of: unlikeBorder },
] as const

/** Falloff towards the edges, since subjects tend to be in the middle: a corner counts a quarter. */
const CENTRE = 0.7

/** The salience of each pixel, 0–1; all 0 in a picture of one colour. Opaque pixels count more than transparent ones. */
export function salienceOf(raster: Raster): Plane {
  const lab = labOf(onWhite(raster))
  const { width, height } = raster
  const salience = new Float32Array(width * height)
  for (const { weight, of } of cues) {
    const cue = of(lab)
    for (let pixel = 0; pixel < salience.length; pixel++) salience[pixel] = (salience[pixel] ?? 0) + weight * (cue[pixel] ?? 0)
  }
  // The square root raises medium values, and keeps 1 to 2 % more of subjects.
  return normalise(weightByOpacity(normalise(salience).map(Math.sqrt), raster))
}

/** Composes transparent pixels on white: the colours of hidden pixels are arbitrary. */
function onWhite(raster: Raster): Raster {
  const { data, channels } = raster
  if (channels !== 4) return raster
  const shownPixels = data.slice()
  for (let at = 0; at < shownPixels.length; at += 4) {
    const opacity = (data[at + 3] ?? 255) / 255
    for (let channel = at; channel < at + 3; channel++) shownPixels[channel] = 255 - (255 - (data[channel] ?? 0)) * opacity
  }
  return { ...raster, data: shownPixels }
}

/** Weights each pixel by its opacity and its nearness to the middle, in place. */
function weightByOpacity(salience: Plane, raster: Raster): Plane {
  const { width, height } = raster
  const opacity = opacityOf(raster)
  for (let row = 0; row < height; row++) {
    const down = (2 * row + 1) / height - 1
    for (let column = 0; column < width; column++) {
      const across = (2 * column + 1) / width - 1
      const pixel = row * width + column
      const visible = opacity ? ((1 + (salience[pixel] ?? 0)) * (opacity[pixel] ?? 0)) / 2 : (salience[pixel] ?? 0)
      salience[pixel] = visible * Math.exp(-CENTRE * (across * across + down * down))
    }
  }
  return salience
}

/** Alpha as 0–1; undefined if there is none, or everything is opaque. */
function opacityOf({ data, width, height, channels }: Raster): Plane | undefined {
  if (channels !== 4) return undefined
  const opacity = Float32Array.from({ length: width * height }, (_, pixel) => (data[pixel * 4 + 3] ?? 255) / 255)
  return opacity.every((share) => share === 1) ? undefined : opacity
}
