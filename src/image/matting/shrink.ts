import type { Size } from '../result-size.ts'
import type { Raster } from '../ssim.ts'

/** The size in the same ratio whose longest side is at most that. */
export function insideSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * The picture at that size, no side of which may be longer than its own: each pixel is the mean of a block of its.
 * Grey stays grey, colour becomes RGB: alpha is left out.
 */
export function shrinkTo({ data, width, height, channels }: Raster, size: Size): Raster {
  const kept = Math.min(3, channels)
  const sums = new Float64Array(size.width * size.height * kept)
  const counts = new Uint32Array(size.width * size.height)
  const columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * size.width) / width))
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * size.height) / height) * size.width
    for (let x = 0; x < width; x++, at += channels) {
      const to = row + (columns[x] as number)
      for (let channel = 0; channel < kept; channel++)
        sums[to * kept + channel] = (sums[to * kept + channel] as number) + (data[at + channel] as number)
      counts[to] = (counts[to] as number) + 1
    }
  }
  const means = Uint8Array.from(sums, (sum, at) => Math.round(sum / (counts[Math.floor(at / kept)] as number)))
  return { ...size, channels: kept, data: means }
}
