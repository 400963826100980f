import type { Raster } from '../ssim.ts'

/** The picture with at most `side` pixels a side, each the mean of a block of the large picture's; RGB. */
export function shrink({ data, width, height, channels }: Raster, side: number): Raster {
  const scale = Math.min(1, side / Math.max(width, height))
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)), channels: 3 }
  const sums = new Float64Array(small.width * small.height * 3)
  const counts = new Uint32Array(small.width * small.height)
  const columns = Uint16Array.from({ length: width }, (_, x) => Math.floor((x * small.width) / width))
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * small.height) / height) * small.width
    for (let x = 0; x < width; x++, at += channels) {
      const to = row + (columns[x] as number)
      sums[to * 3] = (sums[to * 3] as number) + (data[at] as number)
      sums[to * 3 + 1] = (sums[to * 3 + 1] as number) + (data[at + 1] as number)
      sums[to * 3 + 2] = (sums[to * 3 + 2] as number) + (data[at + 2] as number)
      counts[to] = (counts[to] as number) + 1
    }
  }
  return { ...small, data: Uint8Array.from(sums, (sum, at) => Math.round(sum / (counts[Math.floor(at / 3)] as number))) }
}
