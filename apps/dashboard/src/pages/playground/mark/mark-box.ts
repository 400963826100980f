import { type MarkPlace, markCorner, type PlaceName, places } from '@pixelmill/engine/recipe/mark-places'
import { stepForms } from '../../../api/step-forms.ts'
import type { Point, Size } from '../geometry.ts'

/** The settings of a mark that its box shows and changes. */
export interface MarkLook extends MarkPlace {
  /** Width of the mark as a share of the base's. */
  readonly scale: number
  /** Degrees clockwise. */
  readonly angle: number
}

const { scale: scales, margin: margins } = stepForms.watermark.fields

/** Where a mark will be, in pixels of the base. @param ratio height of the mark divided by its width */
export function markBox(base: Size, ratio: number, look: MarkLook): Size & Point {
  const size = sizeOnPicture(base, ratio, look)
  const { left, top } = markCorner(base, size, look)
  return { x: left, y: top, ...size }
}

/** The size of a mark after it was scaled to the base, rotated, and made to fit into the base. */
function sizeOnPicture(base: Size, ratio: number, { scale, angle }: MarkLook): Size {
  const width = Math.min(base.width * scale, base.height / ratio)
  const height = width * ratio
  const cos = Math.abs(Math.cos((angle * Math.PI) / 180))
  const sin = Math.abs(Math.sin((angle * Math.PI) / 180))
  const bounds = { width: width * cos + height * sin, height: width * sin + height * cos }
  const fits = Math.min(1, base.width / bounds.width, base.height / bounds.height)
  return { width: bounds.width * fits, height: bounds.height * fits }
}

/** The position nearest to a corner of the mark's box, of those that are offered, and its distance from the edges. */
export function placeAt(base: Size, mark: Size, { x, y }: Point, placeNames: readonly PlaceName[]): MarkPlace {
  const free = { x: Math.max(0, base.width - mark.width), y: Math.max(0, base.height - mark.height) }
  const share = (at: number, room: number) => (room === 0 ? 0.5 : Math.max(0, Math.min(1, at / room)))
  const across = share(x, free.x)
  const down = share(y, free.y)
  const distance = (name: PlaceName) => Math.hypot(places[name][0] - across, places[name][1] - down)
  const position = placeNames.reduce(
    (best, name) => (distance(name) < distance(best) ? name : best),
    placeNames[0] ?? 'bottom-right',
  )
  const gaps = [gap(places[position][0], across * free.x, free.x), gap(places[position][1], down * free.y, free.y)]
  const distances = gaps.filter((each) => each !== undefined)
  const mean = distances.length === 0 ? 0 : distances.reduce((sum, each) => sum + each, 0) / distances.length
  const margin = Math.min(margins.max, mean / Math.min(base.width, base.height))
  return { position, margin: Math.round(margin * 100) / 100 }
}

/** Distance from the edge that a position is at; undefined in the middle. */
function gap(share: number, at: number, room: number): number | undefined {
  if (share === 0.5) return undefined
  return share === 0 ? at : room - at
}

/** A scale that the API takes, in hundredths. */
export const roundedScale = (scale: number): number => Math.round(100 * Math.max(scales.min, Math.min(scales.max, scale))) / 100
