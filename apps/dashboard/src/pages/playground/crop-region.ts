import type { Point, Size } from './geometry.ts'

/** A rectangle on a picture, in its pixels. */
export interface Region {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const corners = ['nw', 'ne', 'sw', 'se'] as const
export const edges = ['n', 'e', 's', 'w'] as const
export type Grip = (typeof corners)[number] | (typeof edges)[number] | 'all'

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value))

/** Moves the region, within the picture. */
export const moveRegion = (from: Region, { x, y }: Point, picture: Size): Region => ({
  ...from,
  x: clamp(from.x + x, 0, picture.width - from.width),
  y: clamp(from.y + y, 0, picture.height - from.height),
})

/** The region after a corner or an edge was dragged by `by`; with a ratio (width ÷ height) the other side follows. */
export function resizeRegion(from: Region, grip: Grip, by: Point, picture: Size, ratio?: number): Region {
  const right = from.x + from.width
  const bottom = from.y + from.height
  const left = grip.endsWith('w') ? clamp(from.x + by.x, 0, right - 1) : from.x
  const top = grip.startsWith('n') ? clamp(from.y + by.y, 0, bottom - 1) : from.y
  const end = grip.endsWith('e') ? clamp(right + by.x, left + 1, picture.width) : right
  const foot = grip.startsWith('s') ? clamp(bottom + by.y, top + 1, picture.height) : bottom
  const free = { x: left, y: top, width: end - left, height: foot - top }
  if (ratio === undefined) return free
  const byHeight = grip === 'n' || grip === 's'
  const width = byHeight ? free.height * ratio : free.width
  // The opposite corner stays; of an edge, the one to the upper left.
  const west = grip.endsWith('w')
  const north = grip.startsWith('n')
  const most = {
    width: west ? right : picture.width - from.x,
    height: north ? bottom : picture.height - from.y,
  }
  const size = ofRatio(width, ratio, most)
  return { x: west ? right - size.width : from.x, y: north ? bottom - size.height : from.y, ...size }
}

/** The region between two points. */
export function drawRegion(from: Point, to: Point, picture: Size, ratio?: number): Region {
  const within = ({ x, y }: Point) => ({ x: clamp(Math.round(x), 0, picture.width), y: clamp(Math.round(y), 0, picture.height) })
  const start = within(from)
  const end = within(to)
  const west = end.x < start.x
  const north = end.y < start.y
  const most = { width: west ? start.x : picture.width - start.x, height: north ? start.y : picture.height - start.y }
  const free = { width: Math.max(1, Math.abs(end.x - start.x)), height: Math.max(1, Math.abs(end.y - start.y)) }
  const size = ratio === undefined ? free : ofRatio(Math.max(free.width, free.height * ratio), ratio, most)
  const x = west ? start.x - size.width : start.x
  const y = north ? start.y - size.height : start.y
  return moveRegion({ x, y, ...size }, { x: 0, y: 0 }, picture)
}

/** The largest region of a ratio in the middle of another one, grown where that is possible. */
export function withRatio(from: Region, ratio: number, picture: Size): Region {
  const size = ofRatio(Math.max(from.width, from.height * ratio), ratio, picture)
  const x = from.x + (from.width - size.width) / 2
  const y = from.y + (from.height - size.height) / 2
  return moveRegion({ x: Math.round(x), y: Math.round(y), ...size }, { x: 0, y: 0 }, picture)
}

/** Whole pixels of about this width, with the ratio, and within a size. */
function ofRatio(byWidth: number, ratio: number, most: Size): Size {
  const width = clamp(byWidth, 1, Math.min(most.width, most.height * ratio))
  return { width: Math.max(1, Math.round(width)), height: clamp(Math.round(width / ratio), 1, Math.max(1, most.height)) }
}
