import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Rectangle } from '@pixelmill/vision/salience/subject'
import type { MattedPhotograph } from './matted-photographs.ts'

function inside({ width, sums }: MattedPhotograph, { x, y, ...crop }: Rectangle): number {
  const at = (column: number, row: number) => sums[row * (width + 1) + column] ?? 0
  const right = x + crop.width
  const bottom = y + crop.height
  return at(right, bottom) - at(x, bottom) - at(right, y) + at(x, y)
}

/** Share of the subject that a crop keeps, relative to the best crop of its size. */
export function shareInside(photograph: MattedPhotograph, crop: Rectangle): number {
  return inside(photograph, crop) / most(photograph, crop)
}

function most(photograph: MattedPhotograph, { width, height }: Size): number {
  let best = 0
  for (let y = 0; y <= photograph.height - height; y++) {
    for (let x = 0; x <= photograph.width - width; x++) best = Math.max(best, inside(photograph, { x, y, width, height }))
  }
  return best
}
