import type { Size } from '@pixelmill/codecs/pixels/size'

/** Which part of the picture a window shows, as shares of its width and height. */
export const compass = {
  center: { x: 0.5, y: 0.5 },
  north: { x: 0.5, y: 0 },
  northeast: { x: 1, y: 0 },
  east: { x: 1, y: 0.5 },
  southeast: { x: 1, y: 1 },
  south: { x: 0.5, y: 1 },
  southwest: { x: 0, y: 1 },
  west: { x: 0, y: 0.5 },
  northwest: { x: 0, y: 0 },
} as const satisfies Readonly<Record<string, FocalPoint>>

export interface FocalPoint {
  readonly x: number
  readonly y: number
}

export interface Corner {
  readonly left: number
  readonly top: number
}

/** Where a window lies by a side or corner, or by a point that comes as near to its middle as possible. */
export function cornerFor(from: Size, window: Size, gravity: keyof typeof compass | FocalPoint): Corner {
  const across = from.width - window.width
  const down = from.height - window.height
  if (typeof gravity === 'string') {
    const { x, y } = compass[gravity]
    // The middle is rounded as sharp does it.
    return { left: x === 0.5 ? (across + 1) >> 1 : across * x, top: y === 0.5 ? (down + 1) >> 1 : down * y }
  }
  const along = (share: number, length: number, side: number, free: number) =>
    Math.min(free, Math.max(0, Math.round(share * length - side / 2)))
  return {
    left: along(gravity.x, from.width, window.width, across),
    top: along(gravity.y, from.height, window.height, down),
  }
}
