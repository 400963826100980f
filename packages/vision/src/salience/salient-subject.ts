import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Rectangle, SalienceMap, Subject } from './subject.ts'

/** Finds the subject in a salience map: the part that differs most from the rest of the picture. */
export function salientSubject(map: SalienceMap, image: Size): Subject {
  const threshold = otsu(map.data)
  const [columns, rows] = marginals(map, threshold)
  const middle = { x: image.width / 2, y: image.height / 2 }
  const across = extent(columns)
  const down = extent(rows)
  if (!across || !down) return { box: null, focus: middle, confidence: 0, map }
  const scaleX = image.width / map.width
  const scaleY = image.height / map.height
  const left = Math.floor(across.from * scaleX)
  const top = Math.floor(down.from * scaleY)
  const box = {
    x: left,
    y: top,
    width: Math.min(image.width, Math.ceil(across.to * scaleX)) - left,
    height: Math.min(image.height, Math.ceil(down.to * scaleY)) - top,
  }
  const focus = { x: across.centre * scaleX, y: down.centre * scaleY }
  return { box, focus, confidence: concentration(map, box, image), map }
}

/**
 * The threshold with the greatest variance between what is above and what is below.
 * Otsu: A Threshold Selection Method from Gray-Level Histograms, IEEE Trans. SMC 9, 1979.
 */
function otsu(data: Uint8Array): number {
  const counts = new Float64Array(256)
  for (const value of data) counts[value] = (counts[value] ?? 0) + 1
  const total = counts.reduce((sum, count, value) => sum + count * value, 0)
  let threshold = 0
  let greatest = 0
  let below = 0
  let sumBelow = 0
  for (const [value, count] of counts.entries()) {
    below += count
    sumBelow += count * value
    const above = data.length - below
    if (below === 0 || above === 0) continue
    const between = below * above * (sumBelow / below - (total - sumBelow) / above) ** 2
    if (between > greatest) {
      threshold = value
      greatest = between
    }
  }
  return threshold
}

/** Sums of what is above the threshold, by column and by row. */
function marginals({ width, height, data }: SalienceMap, threshold: number): readonly [Float64Array, Float64Array] {
  const columns = new Float64Array(width)
  const rows = new Float64Array(height)
  for (let row = 0, pixel = 0; row < height; row++) {
    for (let column = 0; column < width; column++, pixel++) {
      const value = data[pixel] ?? 0
      if (value <= threshold) continue
      columns[column] = (columns[column] ?? 0) + value
      rows[row] = (rows[row] ?? 0) + value
    }
  }
  return [columns, rows]
}

/** Share ignored at either end: a few salient pixels far from the rest are not part of the subject. */
const OUTLIERS = 0.02

interface Extent {
  readonly from: number
  readonly to: number
  readonly centre: number
}

/** Range and centre of mass of the sums; undefined where there are none. */
function extent(sums: Float64Array): Extent | undefined {
  const total = sums.reduce((a, b) => a + b, 0)
  if (total === 0) return undefined
  let from = 0
  let to = sums.length
  let count = 0
  let moment = 0
  for (const [index, sum] of sums.entries()) {
    if (count <= OUTLIERS * total) from = index
    if (count < (1 - OUTLIERS) * total) to = index + 1
    count += sum
    moment += sum * (index + 0.5)
  }
  return { from, to, centre: moment / total }
}

/** How much more salience the box has than its share of the picture, 0–1: 0 where salience is spread evenly. */
function concentration({ width, height, data }: SalienceMap, box: Rectangle, image: Size): number {
  let inside = 0
  let total = 0
  for (let row = 0, pixel = 0; row < height; row++) {
    const y = (row + 0.5) * (image.height / height)
    const isBeside = y < box.y || y >= box.y + box.height
    for (let column = 0; column < width; column++, pixel++) {
      const x = (column + 0.5) * (image.width / width)
      const value = data[pixel] ?? 0
      total += value
      if (!isBeside && x >= box.x && x < box.x + box.width) inside += value
    }
  }
  const area = (box.width * box.height) / (image.width * image.height)
  return area < 1 ? Math.max(0, (inside / total - area) / (1 - area)) : 0
}
