import type { Size } from '../result-size.ts'
import type { Plane } from '../salience/lab.ts'

/** Mean over the square of 2 · radius + 1 pixels around each, what lies outside the picture not counted; by running sums. */
export function boxMean(plane: Plane, { width, height }: Size, radius: number): Plane {
  const across = new Float32Array(plane.length)
  for (let row = 0; row < height; row++) meanOfLine(plane, across, row * width, 1, width, radius)
  const mean = new Float32Array(plane.length)
  for (let column = 0; column < width; column++) meanOfLine(across, mean, column, width, height, radius)
  return mean
}

function meanOfLine(from: Plane, to: Plane, first: number, step: number, length: number, radius: number): void {
  let [sum, count] = [0, 0]
  for (let at = -radius; at < length; at++) {
    const [entering, leaving] = [at + radius, at - radius - 1]
    if (entering < length) {
      sum += from[first + entering * step] as number
      count++
    }
    if (leaving >= 0) {
      sum -= from[first + leaving * step] as number
      count--
    }
    if (at >= 0) to[first + at * step] = sum / count
  }
}
