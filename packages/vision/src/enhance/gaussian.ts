import type { Plane } from './planes.ts'

/** Three standard deviations cover 99.7 %. */
export const gaussianReach = (sigma: number): number => Math.ceil(3 * sigma)

/** Half of a normalised kernel, its middle first. */
function kernelOf(sigma: number): Float64Array {
  const half = Float64Array.from({ length: gaussianReach(sigma) + 1 }, (_, x) => Math.exp((-x * x) / (2 * sigma * sigma)))
  const sum = half.reduce((total, weight) => total + 2 * weight, -1)
  return half.map((weight) => weight / sum)
}

/** Gaussian blur; beyond the edges, the edge pixels repeat. */
export function gaussian(plane: Plane, width: number, height: number, sigma: number): Plane {
  const kernel = kernelOf(sigma)
  return down(across(plane, width, height, kernel), width, height, kernel)
}

function across(plane: Plane, width: number, height: number, kernel: Float64Array): Plane {
  const reach = kernel.length - 1
  const out = new Float32Array(plane.length)
  const row = new Float32Array(width + 2 * reach)
  for (let y = 0; y < height; y++) {
    const at = y * width
    row.fill(plane[at] as number, 0, reach)
    row.set(plane.subarray(at, at + width), reach)
    row.fill(plane[at + width - 1] as number, reach + width)
    for (let x = 0; x < width; x++) {
      const middle = x + reach
      let sum = (kernel[0] as number) * (row[middle] as number)
      for (let k = 1; k <= reach; k++) sum += (kernel[k] as number) * ((row[middle - k] as number) + (row[middle + k] as number))
      out[at + x] = sum
    }
  }
  return out
}

function down(plane: Plane, width: number, height: number, kernel: Float64Array): Plane {
  const out = new Float32Array(plane.length)
  const sums = new Float64Array(width)
  const row = (y: number) => Math.max(0, Math.min(height - 1, y)) * width
  for (let y = 0; y < height; y++) {
    const at = y * width
    for (let x = 0; x < width; x++) sums[x] = (kernel[0] as number) * (plane[at + x] as number)
    for (let k = 1; k < kernel.length; k++) {
      const above = row(y - k)
      const below = row(y + k)
      const weight = kernel[k] as number
      for (let x = 0; x < width; x++)
        sums[x] = (sums[x] as number) + weight * ((plane[above + x] as number) + (plane[below + x] as number))
    }
    out.set(sums, at)
  }
  return out
}
