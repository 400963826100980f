/** Chroma beside luma: as in the SSIM that optimize measures, one eighth beside three quarters. */
const CHROMA = 1 / 6

/** Of two opaque colours, squared, in YCbCr of ITU-R BT.601; grey levels that differ by one have a distance of 1. */
export function colourDistance(a: number, b: number): number {
  const red = (a & 0xff) - (b & 0xff)
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff)
  const blue = ((a >> 16) & 0xff) - ((b >> 16) & 0xff)
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue
  const [towardsBlue, towardsRed] = [0.564 * (blue - luma), 0.713 * (red - luma)]
  return luma * luma + CHROMA * (towardsBlue * towardsBlue + towardsRed * towardsRed)
}
