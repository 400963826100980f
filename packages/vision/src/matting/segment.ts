import { cutOut, placeOn, withoutBars } from '@pixelmill/codecs/pixels/bars'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { boxMean } from '@pixelmill/kernels/boxes'
import { type Lab, labOf } from '../salience/lab.ts'
import { type Background, backgroundOf } from './background.ts'
import { segmentClutteredBackground } from './cluttered-background.ts'
import { doubtsAbout } from './doubts.ts'
import { segmentPlainBackground } from './plain-background.ts'
import { distanceTo, gradientOf } from './plane-filters.ts'
import { type Mask, outlineOf, regionsOf, type Segmentation } from './regions.ts'

/** A background is smooth if most of the edge belongs to it, and its colours change no more steeply than this. */
const LEAST_SHARE = 0.55
const MOST_SLOPE = 2
/** It is plain if half of the edge is no farther than this from a smooth gradient, in Lab. */
const PLAIN_SPREAD = 2.5
/** Below this confidence on a plain background, the method for cluttered ones is tried as well. */
const SURE = 0.7

/**
 * Separates the subject from the background. Bars around a picture are neither, so they are cut off before, and count as
 * background afterwards.
 * @param raster a small picture: RGB, about 256 pixels a side
 * @param scale how many pixels of the picture as it came are one of these, along a side
 */
export function segment(raster: Raster, scale: number): Segmentation {
  const box = withoutBars(raster)
  const picture = cutOut(raster, box)
  const lab = labOf(picture)
  const background = backgroundOf(lab)
  const isSmooth = background.share >= LEAST_SHARE && background.slope <= MOST_SLOPE
  const isPlain = isSmooth && background.spread <= PLAIN_SPREAD
  const { mask, confidence } = mostConfident(picture, lab, background, isSmooth, isPlain)
  const missedShare = isPlain ? missedEdges(lab, background, mask, Math.max(NEAREST, ARTEFACT / scale)) : 0
  const doubts = missedShare + doubtsAbout(mask, lab, isPlain)
  return { mask: placeOn(mask, box, raster), confidence: Math.max(0, confidence - doubts) }
}

function mostConfident(raster: Raster, lab: Lab, background: Background, isSmooth: boolean, isPlain: boolean): Segmentation {
  const plain = isSmooth ? segmentPlainBackground(lab, background) : undefined
  if (isPlain && plain && plain.confidence >= SURE) return plain
  const clutteredCut = segmentClutteredBackground(raster, lab, background, plain?.mask)
  return isPlain ? moreConfident(clutteredCut, plain) : clutteredCut
}

const moreConfident = (one: Segmentation, other: Segmentation | undefined): Segmentation =>
  other && other.confidence > one.confidence ? other : one

/**
 * Weight of colour relative to lightness. A noise-free gradient has steps of one 8-bit level, which look like long edges: 0.4 in
 * lightness, but 2 in the colours of Lab after JPEG has rounded them.
 */
const COLOUR = 0.25
/** An edge is steeper than this, in units of Lab a pixel, and than this multiple of the background's own slope. */
const LEAST_STEEP = 0.5
const ABOVE_SLOPES = 2.5
/** Blurred by a box of 2 · 3 + 1 pixels, a sharp edge keeps less than this share of its steepness; a shadow or gradient keeps more. */
const BLUR = 3
const MOST_KEPT = 0.65
/**
 * Nearer to the subject, an edge is its own outline, in pixels of the small picture, or a JPEG artefact of it, in pixels of the
 * picture as it came: chroma blocks are 16 pixels long.
 */
const NEAREST = 6
const ARTEFACT = 18
/** Smaller groups of pixels are noise. */
const FEWEST = 15

/**
 * The share of edges that were taken for background, 0–1, among all edges on a plain background, the subject's outline
 * included. Of a white bottle on white, only cap and label are found; the faint outline of the rest shows that it was missed.
 */
function missedEdges(lab: Lab, { slope }: Background, mask: Mask, nearest: number): number {
  const [lightness, ...colours] = lab.planes
  const planes = [lightness, ...colours.map((plane) => plane.map((value) => COLOUR * value))]
  const gradient = gradientOf(planes, lab)
  const gradients = gradientOf(
    planes.map((plane) => boxMean(plane, lab, BLUR)),
    lab,
  )
  const away = distanceTo(mask, 1, lab)
  const steep = Math.max(LEAST_STEEP, ABOVE_SLOPES * slope)
  const edges = gradient.map((steepness, pixel) => {
    const isSharp = steepness > steep && (gradients[pixel] as number) < MOST_KEPT * steepness
    return isSharp && (away[pixel] as number) > nearest ? 1 : 0
  })
  const missedArea = regionsOf(Uint8Array.from(edges), lab, 1).areas.reduce((sum, area) => sum + (area < FEWEST ? 0 : area), 0)
  const outline = outlineOf(mask, lab.width).length
  return missedArea ? missedArea / (missedArea + outline) : 0
}
