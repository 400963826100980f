import type { Size } from '@pixelmill/codecs/pixels/size'
import { nearbyColours } from '@pixelmill/kernels/boxes'
import type { Lab } from '../salience/lab.ts'
import { distancesAt, fitSurfaces, type Surface, samplePoints } from './background.ts'
import { distanceTo } from './plane-filters.ts'
import { coverage, type Mask, outlineOf, regionsOf } from './regions.ts'

/**
 * What the result of a segmentation says against it: to be subtracted from its confidence, 0–1. What was left as background
 * must be one ground, plain, graded or textured, from which the subject stands out; and a subject is no strip of the picture.
 * @param isPlain whether the background was found to be plain: then edges in it were looked for already
 */
export function doubtsAbout(mask: Mask, lab: Lab, isPlain: boolean): number {
  const ground = groundOf(mask, lab)
  if (!ground || isStrip(mask, lab)) return 1
  const uneven = at(MOST, ground.coarse)
  const share = uneven / Math.max(1, contrastAlong(mask, lab))
  const doubts = [
    rising(uneven, isPlain ? UNEVEN_PLAIN : UNEVEN),
    rising(share, UNEVEN_SHARE),
    rising(indistinct(mask, lab, ground), INDISTINCT),
  ]
  return Math.min(
    1,
    doubts.reduce((sum, doubt) => sum + doubt),
  )
}

/** A doubt begins at `from`, and is as large as `doubt` at `to`. */
interface Rise {
  readonly from: number
  readonly to: number
  readonly doubt: number
}

/** Of the unevenness, in units of Lab: a textured wall with a shadow has up to 5, a room or a landscape 10 and more. */
const UNEVEN: Rise = { from: 5, to: 6, doubt: 0.2 }
/** A table in front of a wall has up to 9. */
const UNEVEN_PLAIN: Rise = { from: 5, to: 10, doubt: 0.15 }
/** Of the unevenness as a share of the contrast: where the ground varies as much as that, another outline is as likely. */
const UNEVEN_SHARE: Rise = { from: 0.15, to: 0.25, doubt: 0.2 }
/** Of the share of the subject that cannot be told from the ground: white parts of a product have one or two hundredths. */
const INDISTINCT: Rise = { from: 0.01, to: 0.1, doubt: 0.2 }

const rising = (value: number, { from, to, doubt }: Rise): number => Math.max(0, (value - from) / (to - from)) * doubt

const at = (share: number, ascending: Float64Array): number => ascending[Math.floor(share * ascending.length)] ?? 0

/** What was left as background. */
interface Ground {
  /** The smooth gradient nearest to it. */
  readonly surfaces: readonly Surface[]
  /** How far, in Lab, its sampled pixels are from that gradient, in ascending order; and how far they are without their texture. */
  readonly distances: Float64Array
  readonly coarse: Float64Array
}

/** Textures vanish in the mean of 2 · 7 + 1 pixels; objects do not. */
const COARSE = 7
/** Nearer to the subject, in pixels, the background has its shadow or is blurred with it. */
const OUTLINE = 3
/** Only every third pixel is sampled, and fewer samples say nothing about a ground. */
const STEP = 3
const FEWEST = 40
/** Things that cover less of the background than the rest are overlooked. */
const MOST = 0.9

/** Undefined if hardly anything was left as background, or nothing was taken for the subject. */
function groundOf(mask: Mask, lab: Lab): Ground | undefined {
  const away = distanceTo(mask, 1, lab)
  const pixels: number[] = []
  for (let pixel = 0; pixel < mask.length; pixel += STEP) if ((away[pixel] as number) > OUTLINE) pixels.push(pixel)
  if (pixels.length < FEWEST || coverage(mask) === 0) return undefined
  const coarse = meansWithin(lab, mask, 0, COARSE)
  const points = samplePoints(pixels, lab, () => 1)
  const surfaces = fitSurfaces(coarse.planes, points)
  return { surfaces, distances: distancesAt(points, lab, surfaces).sort(), coarse: distancesAt(points, coarse, surfaces).sort() }
}

/** So near to the ground's colour, in Lab, or as a multiple of its median distance, a pixel cannot be told from it. */
const SAME = 1
const MEDIANS = 1.6
/** Nearer to the outline, in pixels, colours are mixed; and smaller spots, as a share of the picture, are highlights. */
const INSIDE = 1.5
const SPOT = 0.002

/** The share of the subject, in spots of some size, that has the ground's colour: as likely holes, or parts of the background. */
function indistinct(mask: Mask, lab: Lab, { surfaces, distances }: Ground): number {
  const depth = distanceTo(mask, 0, lab)
  const most = Math.max(SAME, MEDIANS * at(0.5, distances))
  const inside: number[] = []
  for (let pixel = 0; pixel < mask.length; pixel++) if ((depth[pixel] as number) > INSIDE) inside.push(pixel)
  const apart = distancesAt(
    samplePoints(inside, lab, () => 1),
    lab,
    surfaces,
  )
  const same = new Uint8Array(mask.length)
  for (const [index, pixel] of inside.entries()) same[pixel] = (apart[index] as number) < most ? 1 : 0
  const spots = regionsOf(same, lab, 1).areas.filter((area) => area >= SPOT * mask.length)
  return spots.reduce((sum, area) => sum + area, 0) / (coverage(mask) * mask.length)
}

/** Around a pixel of the outline, colours are averaged over 2 · 4 + 1 pixels. */
const NEARBY = 4
/** A quarter of the outline may have less contrast. */
const WEAKEST = 0.25

/** The difference in Lab between both sides of the outline, where it is weak. The edges of the picture are no outline. */
function contrastAlong(mask: Mask, lab: Lab): number {
  const inside = meansWithin(lab, mask, 1, NEARBY)
  const outside = meansWithin(lab, mask, 0, NEARBY)
  const outline = outlineOf(mask, lab.width).filter((pixel) => {
    const column = pixel % lab.width
    const row = Math.floor(pixel / lab.width)
    return Math.min(column, row, lab.width - 1 - column, lab.height - 1 - row) > 1
  })
  const contrasts = Float64Array.from(outline, (pixel) =>
    Math.hypot(...inside.planes.map((plane, channel) => (plane[pixel] as number) - (outside.planes[channel]?.[pixel] as number))),
  ).sort()
  return at(WEAKEST, contrasts)
}

/** The mean colour around each pixel of those that are in the mask, or that are not; 0 where there are none. */
function meansWithin(lab: Lab, mask: Mask, side: 0 | 1, radius: number): Lab {
  const counts = new Float32Array(mask.length)
  for (let pixel = 0; pixel < counts.length; pixel++) counts[pixel] = mask[pixel] === side ? 1 : 0
  const { colours, share } = nearbyColours(lab.planes, counts, lab, radius)
  for (const plane of colours)
    for (let pixel = 0; pixel < plane.length; pixel++)
      plane[pixel] = share[pixel] === 0 ? 0 : (plane[pixel] as number) / (share[pixel] as number)
  return { ...lab, planes: colours }
}

/** A row is crossed if the subject covers this share of it. */
const CROSSED = 0.9
/** The share of its area in crossed lines that makes it a strip; shoulders of a portrait cover less, a standing person more. */
const MOST_ACROSS = 0.5
const MOST_UPRIGHT = 0.9
/** A subject touches an edge that it covers to more than this share, and stands on the lower one if it covers so much of that. */
const TOUCHED = 0.1
const STANDING = 0.6

/** Whether a mask crosses the picture from edge to edge, as land, sea and sky do. */
function isStrip(mask: Mask, { width, height }: Size): boolean {
  const rows = coverages(mask, height, width, width, 1)
  const columns = coverages(mask, width, height, 1, width)
  const touches = (lines: Float64Array) => Math.min(lines[0] as number, lines.at(-1) as number) > TOUCHED
  const isAcross = crossedShare(rows) > MOST_ACROSS || (rows.at(-1) as number) < STANDING
  return (touches(columns) && isAcross) || (touches(rows) && crossedShare(columns) > MOST_UPRIGHT)
}

/** The share of each line that is subject. */
function coverages(mask: Mask, lines: number, length: number, down: number, across: number): Float64Array {
  return Float64Array.from({ length: lines }, (_, line) => {
    let coveredCount = 0
    for (let at = 0; at < length; at++) coveredCount += mask[line * down + at * across] as number
    return coveredCount / length
  })
}

function crossedShare(lines: Float64Array): number {
  const [all, crossedLines] = [lines, lines.filter((share) => share >= CROSSED)].map((some) =>
    some.reduce((sum, share) => sum + share, 0),
  )
  return (crossedLines as number) / (all as number)
}
