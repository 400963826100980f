import { compass, cornerFor } from '@pixelmill/engine/image/compass'
import type { Region } from '../../playground/crop-region.ts'
import type { Point, Size } from '../../playground/geometry.ts'
import type { Params } from './draft-recipe.ts'

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const isPoint = (value: unknown): value is Point => typeof value === 'object' && value !== null && 'x' in value && 'y' in value

const isSide = (value: unknown): value is keyof typeof compass => typeof value === 'string' && Object.hasOwn(compass, value)

const within = (value: number, most: number): number => Math.max(0, Math.min(most, Math.round(value)))

/** A window of a size in a picture, by a gravity: a side, a corner, or a point that comes as near to the middle as possible. */
export function windowAt(picture: Size, window: Size, gravity: unknown): Region {
  const { left, top } = cornerFor(picture, window, isPoint(gravity) || isSide(gravity) ? gravity : 'center')
  return { ...window, x: left, y: top }
}

/** The region of a crop, in pixels of its picture. Where `subject` places it, only the server knows: the middle stands for it. */
export function regionAt(params: Params, picture: Size): Region {
  const size = {
    width: Math.min(picture.width, number(params.width) ?? picture.width),
    height: Math.min(picture.height, number(params.height) ?? picture.height),
  }
  const x = number(params.x)
  const y = number(params.y)
  if (x === undefined || y === undefined) return windowAt(picture, size, params.gravity)
  return { ...size, x: within(x, picture.width - size.width), y: within(y, picture.height - size.height) }
}

/** The part that a resize with `cover` keeps, before it is scaled. */
export function coveredRegion(params: Params, picture: Size): Region {
  const ratio = (number(params.width) ?? 1) / (number(params.height) ?? 1)
  const isWide = picture.width > picture.height * ratio
  const size = isWide
    ? { width: picture.height * ratio, height: picture.height }
    : { width: picture.width, height: picture.width / ratio }
  return windowAt(picture, size, params.gravity)
}

/** The middle of what is kept, as shares of the picture. */
export function gravityPoint(params: Params, picture: Size): Point {
  if (isPoint(params.gravity)) return params.gravity
  const { x, y, width, height } = params.fit === 'cover' ? coveredRegion(params, picture) : regionAt(params, picture)
  const share = (at: number, side: number) => Math.round((100 * at) / side) / 100
  return { x: share(x + width / 2, picture.width), y: share(y + height / 2, picture.height) }
}
