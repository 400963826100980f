import type { Strip } from './strip.ts'

/** Gives each square block of each frame the mean of its pixels, in place; transparent pixels count by their opacity. */
export function pixelate(strip: Strip, size: number): void {
  const { width, height: all, frames } = strip
  const height = all / frames
  for (let frame = 0; frame < frames; frame++)
    for (let top = 0; top < height; top += size)
      for (let left = 0; left < width; left += size) {
        const right = Math.min(width, left + size)
        const bottom = Math.min(height, top + size)
        levelBlock(strip, { left, right, top: frame * height + top, bottom: frame * height + bottom })
      }
}

interface Edges {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function levelBlock({ data, width, channels }: Strip, { left, right, top, bottom }: Edges): void {
  let red = 0
  let green = 0
  let blue = 0
  let opacity = 0
  for (let y = top; y < bottom; y++)
    for (let at = (y * width + left) * channels; at < (y * width + right) * channels; at += channels) {
      const weight = channels === 4 ? (data[at + 3] as number) : 1
      red += (data[at] as number) * weight
      green += (data[at + 1] as number) * weight
      blue += (data[at + 2] as number) * weight
      opacity += weight
    }
  const weight = Math.max(1, opacity)
  const mean = [red / weight, green / weight, blue / weight, opacity / ((right - left) * (bottom - top))].map(Math.round)
  for (let y = top; y < bottom; y++)
    for (let at = (y * width + left) * channels; at < (y * width + right) * channels; at += channels)
      for (let channel = 0; channel < channels; channel++) data[at + channel] = mean[channel] as number
}
