import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Lab, Plane } from '../salience/lab.ts'
import { salienceOf } from '../salience/salience.ts'
import type { Background } from './background.ts'
import { grabCut } from './grab-cut.ts'
import { coverage, intersectionOverUnion, type Mask, type Segmentation, withoutSpecks } from './regions.ts'

/** Depth of the frame that is assumed to be background, as a share of the shorter side. */
const FRAME = 0.03
const ROUNDS_WITHIN = 4
const ROUNDS_SALIENT = 3
/** As multiples of Otsu's threshold: below the first a pixel is certainly background, above the second certainly subject. */
const SURELY_OUT = 0.35
const SURELY_IN = 1.5
/** A subject seldom covers shares of the picture, and of its edge, beyond these. */
const LEAST_AREA = 0.02
const MOST_AREA = 0.75
const MOST_EDGE = 0.4
/** Highest confidence: even if two methods agree, both may be wrong on clutter. */
const AT_BEST = 0.9
const DEGENERATE = 0.4

/**
 * Segments a subject on a background of many colours, by GrabCut from two starting masks: everything inside a frame, and the
 * salient pixels. Takes the result that agrees best with another one; the agreement is its confidence.
 * @param another the result of another method
 */
export function segmentClutteredBackground(
  raster: Raster,
  lab: Lab,
  background: Background,
  another: Mask | undefined,
): Segmentation {
  const own = [insideFrame(lab, background), salientPixels(raster, lab, background)].map((mask) => clean(mask, lab))
  const candidates = (another ? [...own, another] : own).map((mask, _, all) => {
    const support = Math.max(...all.map((other) => (other === mask ? 0 : intersectionOverUnion(mask, other))))
    return { mask, confidence: Math.max(0, AT_BEST * support - (isDegenerate(mask, lab) ? DEGENERATE : 0)) }
  })
  // The first of equals: two masks that agree have the same support.
  return candidates.reduce((best, candidate) => (candidate.confidence > best.confidence ? candidate : best))
}

const clean = (mask: Mask, lab: Lab): Mask => withoutSpecks(mask, lab, 0.02, 0.002)

function insideFrame(lab: Lab, background: Background): Mask {
  const { width, height } = lab
  const depth = Math.max(1, Math.round(FRAME * Math.min(width, height)))
  const inside = Uint8Array.from({ length: width * height }, (_, pixel) => {
    const column = pixel % width
    const row = (pixel - column) / width
    const isInFrame = column < depth || row < depth || column >= width - depth || row >= height - depth
    return isInFrame && !isForeign(background, pixel, 1) ? 0 : 1
  })
  return grabCut(lab, inside, inside, ROUNDS_WITHIN)
}

function salientPixels(raster: Raster, lab: Lab, background: Background): Mask {
  const salience = salienceOf(raster)
  const threshold = otsuThreshold(salience)
  const start = Uint8Array.from(salience, (value, pixel) => (value > threshold || isForeign(background, pixel, 2) ? 1 : 0))
  const least = SURELY_OUT * threshold
  const most = Math.min(0.95, SURELY_IN * threshold)
  const open = Uint8Array.from(salience, (value, pixel) =>
    value < most && (value > least || isForeign(background, pixel, 1)) ? 1 : 0,
  )
  return grabCut(lab, start, open, ROUNDS_SALIENT)
}

/** On a background with a wider spread in Lab, no colour is foreign. */
const MOST_SPREAD = 6

/**
 * Whether a pixel's colour is clearly not the background's: it may belong to a subject that reaches the edge. Only in the lower
 * half, since subjects mostly reach the lower edge, and what reaches in from above is mostly background.
 */
const isForeign = ({ distance, near, spread }: Background, pixel: number, times: number): boolean =>
  spread < MOST_SPREAD && pixel > distance.length / 2 && (distance[pixel] as number) > times * near

/** Whether a mask is so small, so large or so much along the edge that it is probably part of the background. */
function isDegenerate(mask: Mask, { width, height }: Lab): boolean {
  const area = coverage(mask)
  if (area < LEAST_AREA || area > MOST_AREA) return true
  let touching = 0
  for (let row = 0; row < height; row++) touching += (mask[row * width] as number) + (mask[(row + 1) * width - 1] as number)
  for (let column = 0; column < width; column++)
    touching += (mask[column] as number) + (mask[mask.length - width + column] as number)
  return touching > MOST_EDGE * 2 * (width + height)
}

const BINS = 256

/**
 * The threshold that splits a plane of 0–1 with the greatest variance between both sides.
 * Otsu: A Threshold Selection Method from Gray-Level Histograms, IEEE Transactions on Systems, Man, and Cybernetics, 1979.
 */
export function otsuThreshold(plane: Plane): number {
  const histogram = new Float64Array(BINS)
  for (const value of plane) {
    const bin = Math.min(BINS - 1, Math.floor(value * BINS))
    histogram[bin] = (histogram[bin] as number) + 1
  }
  const sum = histogram.reduce((total, count, bin) => total + count * bin, 0)
  let below = 0
  let sumBelow = 0
  let best = 0
  let threshold = BINS / 2
  for (let bin = 0; bin < BINS; bin++) {
    below += histogram[bin] as number
    sumBelow += (histogram[bin] as number) * bin
    const above = plane.length - below
    if (!below || !above) continue
    const variance = below * above * (sumBelow / below - (sum - sumBelow) / above) ** 2
    if (variance > best) {
      best = variance
      threshold = bin + 1
    }
  }
  return threshold / BINS
}
