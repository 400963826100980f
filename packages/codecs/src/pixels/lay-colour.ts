import type { Strip } from './strip.ts'

/** Red, green, blue and opacity, each 0 to 1. */
export type LaidColour = readonly [red: number, green: number, blue: number, opacity: number]

/** What a pixel becomes: so much of the colour and so much of the pixel, as shares of full opacity. */
export interface Shares {
  readonly colour: number
  readonly pixel: number
}

/** Mixes a colour into each pixel of each frame, in place; undefined leaves a pixel as it is. */
export function layColour(
  { data, width, height: all, channels, frames }: Strip,
  colour: LaidColour,
  sharesAt: (x: number, y: number, opacity: number) => Shares | undefined,
): void {
  const height = all / frames
  const most = data.BYTES_PER_ELEMENT === 2 ? 65_535 : 255
  for (let row = 0; row < all; row++) {
    const y = row % height
    for (let x = 0; x < width; x++) {
      const at = (row * width + x) * channels
      const opacity = channels === 4 ? (data[at + 3] as number) / most : 1
      const shares = sharesAt(x, y, opacity)
      if (!shares) continue
      const sum = shares.colour + shares.pixel
      for (let channel = 0; channel < 3 && sum > 0; channel++) {
        const level = (colour[channel] as number) * most * shares.colour + (data[at + channel] as number) * shares.pixel
        data[at + channel] = Math.round(level / sum)
      }
      if (channels === 4) data[at + 3] = Math.round(sum * most)
    }
  }
}
