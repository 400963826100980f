import type { Plane } from '../salience/lab.ts'

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
