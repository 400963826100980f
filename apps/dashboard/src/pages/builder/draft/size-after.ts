import { type Fit, fittedSize, rotatedSize, scaledSize } from '@pixelmill/codecs/pixels/size'
import type { Size } from '../../playground/geometry.ts'
import type { DraftStep } from './draft-recipe.ts'

/**
 * The size of a picture after steps, in pixels, as the server plans it.
 * @param dpr by which the sizes of resizes are multiplied
 * @returns undefined where only the pixels say it
 */
export function sizeAfter(picture: Size, steps: readonly DraftStep[], dpr = 1): Size | undefined {
  let size: Size | undefined = { width: picture.width, height: picture.height }
  for (const step of steps) if (size && !step.isOff) size = sizeAfterStep(size, step, dpr)
  return size
}

/** By how many times the pixels of a picture grow on the way, as far as that is known; at least 1. */
export function growthOf(picture: Size, steps: readonly DraftStep[], dpr = 1): number {
  const pixels = steps.map((_, nth) => {
    const size = sizeAfter(picture, steps.slice(0, nth + 1), dpr)
    return size ? size.width * size.height : 0
  })
  return Math.max(1, ...pixels.map((each) => each / (picture.width * picture.height)))
}

const number = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise)

function sizeAfterStep(size: Size, { name, params }: DraftStep, dpr: number): Size | undefined {
  switch (name) {
    case 'crop':
      return { width: number(params.width, size.width), height: number(params.height, size.height) }
    case 'resize':
      return resizedSize(size, params, dpr)
    case 'rotate':
      return rotatedSize(size, number(params.angle))
    case 'extend':
      return {
        width: size.width + number(params.left) + number(params.right),
        height: size.height + number(params.top) + number(params.bottom),
      }
    case 'trim':
      return undefined
    case 'enhance':
      return params.operation === 'upscale' ? { width: 2 * size.width, height: 2 * size.height } : size
    default:
      return size
  }
}

function resizedSize(size: Size, params: DraftStep['params'], dpr: number): Size | undefined {
  const side = (value: unknown) => (typeof value === 'number' ? Math.max(1, Math.round(value * dpr)) : undefined)
  const box = { width: side(params.width), height: side(params.height), fit: (params.fit ?? 'inside') as Fit }
  const target = scaledSize(size, box)
  const isLarger = target.width > size.width || target.height > size.height
  if (params.enlarge !== false || !isLarger) return fittedSize(size, box)
  // Cover cuts a smaller picture in a way that the preview shows.
  return box.fit === 'cover' && box.width !== undefined && box.height !== undefined ? undefined : size
}
