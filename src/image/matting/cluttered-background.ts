import type { Raster } from '../raster.ts'
import type { Lab, Plane } from '../salience/lab.ts'
import { salienceOf } from '../salience/salience.ts'
import type { Backdrop } from './background.ts'
import { grabCut } from './grab-cut.ts'
import { agreement, areaOf, type Mask, type Opinion, tidied } from './regions.ts'

/** Of the shorter side: how deep the frame is that is taken for background. */
const FRAME = 0.03
const [ROUNDS_WITHIN, ROUNDS_SALIENT] = [4, 3]
/** In terms of Otsu's threshold: below the first it is surely background, above the second surely subject. */
const [SURELY_OUT, SURELY_IN] = [0.35, 1.5]
/** So much of the picture, and of its edge, a subject seldom takes up. */
const [LEAST_AREA, MOST_AREA, MOST_EDGE] = [0.02, 0.75, 0.4]
/** However well two opinions agree, both may be wrong before clutter. */
const AT_BEST = 0.9
const DEGENERATE = 0.4

/**
 * The subject before a background of many colours, in opinions that begin differently: with all that the frame does not
 * touch, and with what stands out. The one that another agrees with best is taken; as far as they agree, it is likely right.
 * @param another what somebody else made of it
 */
export function clutterOpinion(raster: Raster, lab: Lab, backdrop: Backdrop, another: Mask | undefined): Opinion {
  const own = [withinFrame(lab, backdrop), whatStandsOut(raster, lab, backdrop)].map((mask) => tidy(mask, lab))
  const opinions = (another ? [...own, another] : own).map((mask, _, all) => {
    const support = Math.max(...all.map((other) => (other === mask ? 0 : agreement(mask, other))))
    return { mask, confidence: Math.max(0, AT_BEST * support - (isDegenerate(mask, lab) ? DEGENERATE : 0)) }
  })
  // The first of equals: two that agree have the same support.
  return opinions.reduce((best, opinion) => (opinion.confidence > best.confidence ? opinion : best))
}

const tidy = (mask: Mask, lab: Lab): Mask => tidied(mask, lab, 0.02, 0.002)

function withinFrame(lab: Lab, backdrop: Backdrop): Mask {
  const { width, height } = lab
  const depth = Math.max(1, Math.round(FRAME * Math.min(width, height)))
  const inside = Uint8Array.from({ length: width * height }, (_, pixel) => {
    const column = pixel % width
    const row = (pixel - column) / width
    const framed = column < depth || row < depth || column >= width - depth || row >= height - depth
    return framed && !isForeign(backdrop, pixel, 1) ? 0 : 1
  })
  return grabCut(lab, inside, inside, ROUNDS_WITHIN)
}

function whatStandsOut(raster: Raster, lab: Lab, backdrop: Backdrop): Mask {
  const salience = salienceOf(raster)
  const threshold = otsuThreshold(salience)
  const start = Uint8Array.from(salience, (value, pixel) => (value > threshold || isForeign(backdrop, pixel, 2) ? 1 : 0))
  const [least, most] = [SURELY_OUT * threshold, Math.min(0.95, SURELY_IN * threshold)]
  const open = Uint8Array.from(salience, (value, pixel) =>
    value < most && (value > least || isForeign(backdrop, pixel, 1)) ? 1 : 0,
  )
  return grabCut(lab, start, open, ROUNDS_SALIENT)
}

/** A background that has so wide a spread in Lab is none that pixels could be foreign to. */
const MOST_SPREAD = 6

/**
 * Whether a pixel is that much farther from the background's colours than background is: the subject, cut by the edge perhaps.
 * Only in the lower half: people and things are cut by the lower edge, what reaches in from above is mostly background.
 */
const isForeign = ({ distance, near, spread }: Backdrop, pixel: number, times: number): boolean =>
  spread < MOST_SPREAD && pixel > distance.length / 2 && (distance[pixel] as number) > times * near

/** Whether a mask is so small, so large or so much at the edge that it is rather a part of the background. */
function isDegenerate(mask: Mask, { width, height }: Lab): boolean {
  const area = areaOf(mask)
  if (area < LEAST_AREA || area > MOST_AREA) return true
  let touching = 0
  for (let row = 0; row < height; row++) touching += (mask[row * width] as number) + (mask[(row + 1) * width - 1] as number)
  for (let column = 0; column < width; column++)
    touching += (mask[column] as number) + (mask[mask.length - width + column] as number)
  return touching > MOST_EDGE * 2 * (width + height)
}

const BINS = 256

/**
 * The value that parts a plane of 0–1 best in two: where the variance between both sides is greatest.
 * Otsu: A Threshold Selection Method from Gray-Level Histograms, IEEE Transactions on Systems, Man, and Cybernetics, 1979.
 */
export function otsuThreshold(plane: Plane): number {
  const histogram = new Float64Array(BINS)
  for (const value of plane) {
    const bin = Math.min(BINS - 1, Math.floor(value * BINS))
    histogram[bin] = (histogram[bin] as number) + 1
  }
  const sum = histogram.reduce((total, count, bin) => total + count * bin, 0)
  let [below, sumBelow, best, threshold] = [0, 0, 0, BINS / 2]
  for (let bin = 0; bin < BINS; bin++) {
    below += histogram[bin] as number
    sumBelow += (histogram[bin] as number) * bin
    const above = plane.length - below
    if (!below || !above) continue
    const variance = below * above * (sumBelow / below - (sum - sumBelow) / above) ** 2
    if (variance > best) [best, threshold] = [variance, bin + 1]
  }
  return threshold / BINS
}
