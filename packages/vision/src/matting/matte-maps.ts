import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Plane } from '../salience/lab.ts'
import { boxMean, sureDistance } from './plane-filters.ts'

/** Radius in which the colours of subject and background are averaged. */
const REACH = 10
/** Signed distance, in pixels of the small picture, from which a pixel is all subject, and below which it is all background. */
const SURELY_IN = 2
const SURELY_OUT = -1.5

/** What the small picture says about the large one: several numbers for each pixel, interleaved. */
export interface MatteMaps extends Size {
  readonly data: Float32Array
}

/**
 * Offsets of a pixel's numbers: its signed distance to the uncertain zone; the linear model of its opacity (factors of red, green
 * and blue in 0–255, constant); and for subject and background nearby, the weighted mean of red, green and blue in 0–255, the
 * weight, and the weighted mean of the squares.
 */
export const at = { distance: 0, model: 1, subject: 5, background: 10 } as const
export const NUMBERS = 15

/**
 * @param small RGB
 * @param opacity of each of its pixels, 0–255; in between where the segmentation is uncertain
 */
export function matteMaps(small: Raster, opacity: Uint8Array): MatteMaps {
  const { width, height } = small
  const colours = [0, 1, 2].map((channel) =>
    Float32Array.from({ length: width * height }, (_, pixel) => (small.data[pixel * small.channels + channel] as number) / 255),
  ) as [Plane, Plane, Plane]
  const distance = sureDistance(opacity, small)
  const { red, green, blue, constant } = guidedModel(
    colours,
    Float32Array.from(opacity, (value) => value / 255),
    small,
  )
  const model = [...[red, green, blue].map((plane) => plane.map((weight) => weight / 255)), constant]
  const nearby = (isPure: (distance: number) => boolean): readonly Plane[] => {
    const pure = distance.map((value) => (isPure(value) ? 1 : 0))
    const weightedColours = colours.map((plane) => plane.map((value, pixel) => value * 255 * (pure[pixel] as number)))
    const squares = pure.map((amount, pixel) => {
      let squareSum = 0
      for (const plane of colours) squareSum += (255 * (plane[pixel] as number)) ** 2
      return squareSum * amount
    })
    return [...weightedColours, pure, squares].map((plane) => boxMean(plane, small, REACH))
  }
  const planes = [distance, ...model, ...nearby((value) => value > SURELY_IN), ...nearby((value) => value < SURELY_OUT)]
  const data = new Float32Array(width * height * NUMBERS)
  for (const [number, plane] of planes.entries()) {
    for (let pixel = 0; pixel < plane.length; pixel++) data[pixel * NUMBERS + number] = plane[pixel] as number
  }
  return { width, height, data }
}

type Three = readonly [Plane, Plane, Plane]

/** Around each pixel, the opacity is about red · r + green · g + blue · b + constant. */
interface OpacityModel {
  readonly red: Plane
  readonly green: Plane
  readonly blue: Plane
  readonly constant: Plane
}

/** Radius of the boxes in pixels, and the regularisation: a standard deviation of 0.01 of the range. */
const RADIUS = 4
const EPSILON = 1e-4

/**
 * The linear models of the guided filter with a colour guide. Computed on the small picture, they apply to the large one.
 * He, Sun: Fast Guided Filter, 2015 (arXiv 1505.00996), after He, Sun, Tang: Guided Image Filtering, ECCV 2010.
 * @param guide red, green and blue of the small picture, 0–1
 * @param opacity of the small picture, 0–1
 */
export function guidedModel(guide: Three, opacity: Plane, size: Size): OpacityModel {
  const mean = (plane: Plane) => boxMean(plane, size, RADIUS)
  const product = (a: Plane, b: Plane) => mean(a.map((value, pixel) => value * (b[pixel] as number)))
  const [r, g, b] = guide
  const mr = mean(r)
  const mg = mean(g)
  const mb = mean(b)
  const mo = mean(opacity)
  const rr = product(r, r)
  const rg = product(r, g)
  const rb = product(r, b)
  const gg = product(g, g)
  const gb = product(g, b)
  const bb = product(b, b)
  const ro = product(r, opacity)
  const go = product(g, opacity)
  const bo = product(b, opacity)
  const model = { red: r.slice(), green: g.slice(), blue: b.slice(), constant: opacity.slice() }
  for (let pixel = 0; pixel < opacity.length; pixel++) {
    const at = (plane: Plane): number => plane[pixel] as number
    const covariance = (squares: Plane, m: Plane, n: Plane) => at(squares) - at(m) * at(n)
    const weights = solveSymmetric(
      [covariance(rr, mr, mr) + EPSILON, covariance(rg, mr, mg), covariance(rb, mr, mb)],
      [covariance(gg, mg, mg) + EPSILON, covariance(gb, mg, mb), covariance(bb, mb, mb) + EPSILON],
      [covariance(ro, mr, mo), covariance(go, mg, mo), covariance(bo, mb, mo)],
    )
    model.red[pixel] = weights[0]
    model.green[pixel] = weights[1]
    model.blue[pixel] = weights[2]
    model.constant[pixel] = at(mo) - weights[0] * at(mr) - weights[1] * at(mg) - weights[2] * at(mb)
  }
  return { red: mean(model.red), green: mean(model.green), blue: mean(model.blue), constant: mean(model.constant) }
}

type Triple = readonly [number, number, number]

/** Solves a b c / b d e / c e f times x = y by cofactors. */
function solveSymmetric([a, b, c]: Triple, [d, e, f]: Triple, [x, y, z]: Triple): Triple {
  const first = d * f - e * e
  const second = c * e - b * f
  const third = b * e - c * d
  const determinant = a * first + b * second + c * third
  const fourth = a * f - c * c
  const fifth = b * c - a * e
  const sixth = a * d - b * b
  return [
    (first * x + second * y + third * z) / determinant,
    (second * x + fourth * y + fifth * z) / determinant,
    (third * x + fifth * y + sixth * z) / determinant,
  ]
}
