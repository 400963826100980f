import type { Size } from '@pixelmill/codecs/pixels/size'

/** Where a part lies at its whole, along one axis. */
type Along = 'start' | 'middle' | 'end'

/** Places by imgproxy's names: across, down, and the name that recipes have for it. */
export const directions = {
  ce: { across: 'middle', down: 'middle', word: 'center' },
  no: { across: 'middle', down: 'start', word: 'north' },
  noea: { across: 'end', down: 'start', word: 'northeast' },
  ea: { across: 'end', down: 'middle', word: 'east' },
  soea: { across: 'end', down: 'end', word: 'southeast' },
  so: { across: 'middle', down: 'end', word: 'south' },
  sowe: { across: 'start', down: 'end', word: 'southwest' },
  we: { across: 'start', down: 'middle', word: 'west' },
  nowe: { across: 'start', down: 'start', word: 'northwest' },
} as const satisfies Readonly<Record<string, { readonly across: Along; readonly down: Along; readonly word: string }>>

export type Direction = keyof typeof directions

/** A side or corner, with offsets away from it: pixels from 1 on, below 1 a share of the whole. */
export interface SideGravity {
  readonly direction: Direction
  readonly x: number
  readonly y: number
}

/** The middle of the part, as shares of the whole. */
export interface PointGravity {
  readonly point: { readonly x: number; readonly y: number }
}

/** Places that need no look at the picture. */
export type PlacedGravity = SideGravity | PointGravity
export type Gravity = PlacedGravity | 'subject'

export const CENTER: SideGravity = { direction: 'ce', x: 0, y: 0 }

export interface Corner {
  readonly left: number
  readonly top: number
}

/**
 * The top-left corner of a part in its whole.
 * @param dpr multiplies offsets in pixels
 * @param mayOverflow whether the part may lie partly outside, as watermarks do
 */
export function cornerOf(whole: Size, part: Size, gravity: PlacedGravity, dpr: number, mayOverflow = false): Corner {
  const within = (start: number, whole: number, part: number) => {
    const least = mayOverflow ? 1 - part : 0
    const most = mayOverflow ? whole - 1 : whole - part
    return Math.max(least, Math.min(start, most))
  }
  const { left, top } = 'point' in gravity ? aroundPoint(whole, part, gravity) : atSide(whole, part, gravity, dpr)
  return { left: within(left, whole.width, part.width), top: within(top, whole.height, part.height) }
}

const aroundPoint = (whole: Size, part: Size, { point }: PointGravity): Corner => ({
  left: halfToEven(whole.width * point.x) - Math.trunc(part.width / 2),
  top: halfToEven(whole.height * point.y) - Math.trunc(part.height / 2),
})

function atSide(whole: Size, part: Size, { direction, x, y }: SideGravity, dpr: number): Corner {
  const { across, down } = directions[direction]
  return {
    left: startAlong(across, whole.width - part.width, offsetOf(x, whole.width, dpr)),
    top: startAlong(down, whole.height - part.height, offsetOf(y, whole.height, dpr)),
  }
}

function startAlong(place: Along, free: number, offset: number): number {
  if (place === 'start') return offset
  return place === 'end' ? free - offset : halfToEven((free + 1) / 2) + offset
}

/** An offset in pixels. */
export const offsetOf = (offset: number, whole: number, dpr: number): number =>
  halfToEven(Math.abs(offset) >= 1 ? offset * dpr : offset * whole)

/** The nearest whole number, of two that are as near the even one. */
export function halfToEven(value: number): number {
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}
