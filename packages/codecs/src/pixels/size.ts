import type { Codec } from '../codec.ts'
import { ImageError } from '../contract/image-errors.ts'
import { limits } from '../contract/limits.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const
export type Fit = (typeof fits)[number]

/** The box that an image is fitted into. If only one side is given, the ratio is kept whatever the fit. */
export interface Box {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly fit: Fit
}

/**
 * The size that one frame is scaled to, before `cover` crops or `contain` pads: one side as it is given, the other in proportion to
 * the nearest whole pixel, halves up.
 */
export function scaledSize(from: Size, { width, height, fit }: Box): Size {
  if (width === undefined && height === undefined) return { width: from.width, height: from.height }
  if (width !== undefined && height !== undefined && fit === 'fill') return { width, height }
  const byWidth = width !== undefined && { width, height: proportional(from.height, width, from.width) }
  const byHeight = height !== undefined && { width: proportional(from.width, height, from.height), height }
  if (!byWidth || !byHeight) return byWidth || byHeight || from
  const wider = byWidth.width * from.height > byHeight.height * from.width
  return wider === (fit === 'outside' || fit === 'cover') ? byWidth : byHeight
}

/** Divides whole numbers only once: a half stays exactly a half. */
const proportional = (side: number, length: number, of: number): number => Math.max(1, Math.round((side * length) / of))

/** The size of one frame after a resize. */
export function fittedSize(from: Size, box: Box): Size {
  const { width, height, fit } = box
  if (width !== undefined && height !== undefined && (fit === 'cover' || fit === 'contain')) return { width, height }
  return scaledSize(from, box)
}

/**
 * The size whose longer side is at most `longestSide` pixels, chosen such that fitting the picture into a box of that size
 * gives that very size.
 */
export function sizeWithin(from: Size, longestSide: number | undefined): Size {
  if (longestSide === undefined || Math.max(from.width, from.height) <= longestSide) {
    return { width: from.width, height: from.height }
  }
  let size = scaledSize(from, { width: longestSide, height: longestSide, fit: 'inside' })
  for (;;) {
    const again = scaledSize(from, { ...size, fit: 'inside' })
    if (again.width === size.width && again.height === size.height) return size
    size = again
  }
}

/** The bounding box of an image rotated by any angle, in degrees. */
export function rotatedSize({ width, height }: Size, degrees: number): Size {
  const radians = (degrees * Math.PI) / 180
  const cos = Math.abs(Math.cos(radians))
  const sin = Math.abs(Math.sin(radians))
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) }
}

/**
 * Refuses an output that no encoder could write, before a pixel is decoded.
 * @throws ImageError image_too_large
 */
export function checkResult({ width, height, alpha }: Size & { readonly alpha?: boolean }, frames: number, target: Codec): void {
  const shape = `${width} × ${height}${frames > 1 ? ` × ${frames} frames` : ''}`
  if (width > target.maxSide || height > target.maxSide) {
    const name = target.name.toUpperCase()
    throw new ImageError('image_too_large', {
      message: `${name} holds at most ${target.maxSide} pixels a side; the result would be ${shape}. Ask for a smaller size or another format.`,
    })
  }
  if (width * height * frames > limits.pixels) {
    throw new ImageError('image_too_large', {
      message: `The result would be ${shape}, more than 80 megapixels. Ask for a smaller size.`,
    })
  }
  const { maxPixels = limits.pixels, maxAlphaPixels } = target
  if (width * height * frames > maxPixels) {
    throw new ImageError('image_too_large', {
      message: `${target.title} is written up to ${maxPixels / 1_000_000} megapixels; the result would be ${shape}. Ask for a smaller size or another format.`,
    })
  }
  if (alpha && maxAlphaPixels !== undefined && width * height > maxAlphaPixels) {
    throw new ImageError('image_too_large', {
      message: `With transparency, ${target.name.toUpperCase()} holds at most ${maxAlphaPixels / 1_000_000} megapixels; the result would be ${shape}. Ask for a smaller size or another format.`,
    })
  }
}
