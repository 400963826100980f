import type { Size } from './size.ts'
import type { Strip } from './strip.ts'

export interface Box extends Size {
  readonly left: number
  readonly top: number
}

/**
 * The picture without a border of one colour, that of the top-left pixel: of an animation, the box that all frames need. All of the
 * picture if it has no other colour.
 * @param threshold how much a channel may differ, in levels of 255; transparent pixels are alike, whatever their colour
 */
export function trimBox({ data, width, height: all, channels, frames }: Strip, threshold: number): Box {
  const height = all / frames
  const most = threshold * (data.BYTES_PER_ELEMENT === 2 ? 257 : 1)
  const alphaAt = channels === 4 ? 3 : -1
  const isBorder = (at: number): boolean => {
    if (alphaAt >= 0 && data[at + alphaAt] === 0 && data[alphaAt] === 0) return true
    for (let channel = 0; channel < channels; channel++)
      if (Math.abs((data[at + channel] as number) - (data[channel] as number)) > most) return false
    return true
  }
  let left = width
  let top = height
  let right = -1
  let bottom = -1
  for (let row = 0; row < all; row++) {
    const y = row % height
    const start = row * width
    // Only what lies outside the box found so far can change it.
    for (let x = 0; x < width; x++) {
      if (x >= left && x <= right && y >= top && y <= bottom) x = right + 1
      if (x >= width || isBorder((start + x) * channels)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  if (right < 0) return { left: 0, top: 0, width, height }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}
