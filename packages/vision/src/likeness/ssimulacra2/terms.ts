import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Sums } from '@pixelmill/kernels/ssimulacra2'

/** One of the 108 numbers that a score is made of. */
export interface Term {
  /** 0 is the full size, 1 half of it … */
  readonly scale: number
  /** X, Y, B */
  readonly plane: number
  /** Of the sums of a scale and plane: the three maps, then their fourth powers. */
  readonly sum: number
  readonly weight: number
}

const MAPS = 3
const PLANES = 3
const SCALES = 6

/** Weights by their place in the reference's list, which is ordered by plane, scale, norm and map. */
const WEIGHTS: readonly (readonly [place: number, weight: number])[] = [
  [9, 1.1041726426657346],
  [15, 1.8422455520539298],
  [16, 11.441172603757666],
  [21, 1.8787594979546387],
  [22, 10.94906990605142],
  [25, 0.9677937080626833],
  [28, 0.9981766977854967],
  [39, 7.466890328078848],
  [41, 17.445833984131262],
  [45, 6.683678146179332],
  [47, 1.027889937768264],
  [48, 225.20515300849274],
  [51, 19.213238186143016],
  [54, 176.39317598450694],
  [57, 24.43300999870476],
  [58, 0.28520802612117757],
  [63, 34.77906344483772],
  [64, 44.835625328877896],
  [93, 8.826982764996862],
  [94, 23.19243343998926],
  [96, 95.1080498811086],
  [97, 0.9863978034400682],
  [98, 0.9834382792465353],
  [100, 171.2667255897307],
  [101, 0.9807858872435379],
]

/** The reference stops before a scale whose picture would be made of one with a side below 8. */
export const scalesOf = ({ width, height }: Size): number =>
  Math.min(SCALES, 1 + Math.max(1, Math.ceil(Math.log2(Math.min(width, height) / 7))))

/** The reference numbers its terms without gaps: with fewer scales, a weight belongs to another term. */
export function termsFor(scales: number): readonly Term[] {
  return WEIGHTS.map(([place, weight]) => ({
    plane: Math.floor(place / (scales * 2 * MAPS)),
    scale: Math.floor(place / (2 * MAPS)) % scales,
    sum: place % (2 * MAPS),
    weight,
  })).filter(({ plane }) => plane < PLANES)
}

/** For each scale, whether X, Y and B have a term. */
export function planesOf(scales: number): readonly (readonly boolean[])[] {
  const terms = termsFor(scales)
  const count = 1 + Math.max(...terms.map(({ scale }) => scale))
  return Array.from({ length: count }, (_, scale) =>
    Array.from({ length: PLANES }, (_, plane) => terms.some((term) => term.scale === scale && term.plane === plane)),
  )
}

/** The weighted sum of norms, on the scale to which the reference fitted opinions of observers. */
export function scoreOf(sums: readonly (readonly (Sums | undefined)[])[], scales: number): number {
  let error = 0
  for (const { scale, plane, sum, weight } of termsFor(scales)) {
    const { pixels, values } = sums[scale]?.[plane] ?? { pixels: 1, values: [] }
    const mean = (values[sum] ?? 0) / pixels
    error += weight * (sum < MAPS ? mean : Math.sqrt(Math.sqrt(mean)))
  }
  const e = error * 0.9562382616834844
  const cubicFit = 2.326765642916932 * e - 0.020884521182843837 * e ** 2 + 6.248496625763138e-5 * e ** 3
  return cubicFit > 0 ? 100 - 10 * cubicFit ** 0.6276336467831387 : 100
}
