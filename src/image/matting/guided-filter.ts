import type { Size } from '../result-size.ts'
import type { Plane } from '../salience/lab.ts'
import { boxMean } from './box-mean.ts'

type Three = readonly [Plane, Plane, Plane]

/** Around each pixel, the opacity is about red · r + green · g + blue · b + constant. */
export interface OpacityModel {
  readonly red: Plane
  readonly green: Plane
  readonly blue: Plane
  readonly constant: Plane
}

/** Radius of the squares in pixels, and what a colour has to vary by within one to count: 0.01 of its range. */
const [RADIUS, EPSILON] = [4, 1e-4]

/**
 * The linear models of the guided filter with a colour guide; made small, they can be applied to the large picture.
 * He, Sun: Fast Guided Filter, 2015 (arXiv 1505.00996), after He, Sun, Tang: Guided Image Filtering, ECCV 2010.
 * @param guide red, green and blue of the small picture, 0–1
 * @param opacity of the small picture, 0–1
 */
export function guidedModel(guide: Three, opacity: Plane, size: Size): OpacityModel {
  const mean = (plane: Plane) => boxMean(plane, size, RADIUS)
  const product = (a: Plane, b: Plane) => mean(a.map((value, pixel) => value * (b[pixel] as number)))
  const [r, g, b] = guide
  const [mr, mg, mb, mo] = [mean(r), mean(g), mean(b), mean(opacity)]
  const [rr, rg, rb, gg, gb, bb] = [product(r, r), product(r, g), product(r, b), product(g, g), product(g, b), product(b, b)]
  const [ro, go, bo] = [product(r, opacity), product(g, opacity), product(b, opacity)]
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
  const [first, second, third] = [d * f - e * e, c * e - b * f, b * e - c * d]
  const determinant = a * first + b * second + c * third
  const [fourth, fifth, sixth] = [a * f - c * c, b * c - a * e, a * d - b * b]
  return [
    (first * x + second * y + third * z) / determinant,
    (second * x + fourth * y + fifth * z) / determinant,
    (third * x + fifth * y + sixth * z) / determinant,
  ]
}
