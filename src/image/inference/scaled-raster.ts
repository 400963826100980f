import { enlarge } from '../enlarge.ts'
import type { Size } from '../result-size.ts'
import { sharp } from '../sharp.ts'
import type { Raster } from '../ssim.ts'

/** A picture of 8 bits in exactly this size, RGB, by Lanczos-3 both ways: it may be stretched on one side and squeezed on the other. */
export async function scaledRaster({ data, width, height, channels }: Raster, to: Size): Promise<Raster> {
  const raw = { width, height, channels: channels === 4 ? 4 : 3 } as const
  const squeezed = { width: Math.min(width, to.width), height: Math.min(height, to.height) }
  const { data: small } = await sharp(data, { raw, limitInputPixels: false })
    .removeAlpha()
    .resize({ ...squeezed, fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (squeezed.width === to.width && squeezed.height === to.height) return { data: small, ...to, channels: 3 }
  const large = new Uint8Array(to.width * to.height * 3)
  enlarge({ data: small, ...squeezed, channels: 3 }, to, { left: 0, top: 0, ...to }, large)
  return { data: large, ...to, channels: 3 }
}
