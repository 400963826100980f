import type { Size } from '../result-size.ts'
import type { Plane } from '../salience/lab.ts'

/** How steeply the planes of Lab change at each pixel, in their units a pixel, after noise has been smoothed away. */
export function gradientOf(planes: readonly Plane[], { width, height }: Size): Plane {
  const squared = new Float32Array(width * height)
  for (const plane of planes) addSlopes(smoothed(smoothed(plane, width), width), width, height, squared)
  return squared.map(Math.sqrt)
}

function addSlopes(plane: Plane, width: number, height: number, squared: Plane): void {
  for (let row = 0, pixel = 0; row < height; row++) {
    const [up, down] = [row > 0 ? width : 0, row < height - 1 ? width : 0]
    for (let column = 0; column < width; column++, pixel++) {
      const [left, right] = [column > 0 ? 1 : 0, column < width - 1 ? 1 : 0]
      const across = (plane[pixel + right] as number) - (plane[pixel - left] as number)
      const along = (plane[pixel + down] as number) - (plane[pixel - up] as number)
      squared[pixel] = (squared[pixel] as number) + (across * across + along * along) / 4
    }
  }
}

/** Binomial filter of three samples each way; twice is close to a Gaussian of one pixel. */
function smoothed(plane: Plane, width: number): Plane {
  const across = plane.map((value, pixel) => {
    const column = pixel % width
    const left = plane[column > 0 ? pixel - 1 : pixel] as number
    const right = plane[column < width - 1 ? pixel + 1 : pixel] as number
    return (left + 2 * value + right) / 4
  })
  return across.map((value, pixel) => {
    const up = across[pixel >= width ? pixel - width : pixel] as number
    const down = across[pixel < plane.length - width ? pixel + width : pixel] as number
    return (up + 2 * value + down) / 4
  })
}
