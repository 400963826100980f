import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { ssim } from '@pixelmill/vision/likeness/ssim'
import type { Rgb } from './exact-resize.ts'

/** Peak signal-to-noise ratio in dB. */
export function psnr(a: Rgb, b: Rgb): number {
  if (a.data.length !== b.data.length) throw new Error(`${a.width} × ${a.height} against ${b.width} × ${b.height}`)
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += ((a.data[i] ?? 0) - (b.data[i] ?? 0)) ** 2
  return 10 * Math.log10((255 * 255 * a.data.length) / sum)
}

/** Luma by ITU-R BT.709. */
function luma({ data, width, height }: Rgb): Raster {
  const samples = Uint8ClampedArray.from(
    { length: width * height },
    (_, at) => 0.2126 * (data[3 * at] ?? 0) + 0.7152 * (data[3 * at + 1] ?? 0) + 0.0722 * (data[3 * at + 2] ?? 0),
  )
  return { data: new Uint8Array(samples.buffer), width, height, channels: 1 }
}

export const likeness = (a: Rgb, b: Rgb) => ssim(luma(a), luma(b))
