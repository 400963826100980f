import type { Bitmap } from '../bitmap.ts'
import type { PictureHeader, Reader } from '../reader.ts'
import { unpremultiply } from '../unpremultiply.ts'
import { withWideApertures } from './aperture.ts'
import { openPicture } from './picture.ts'
import { decodePixels, stretchGrey } from './pixels.ts'
import { hasLimitedGrey, profileFor } from './profile.ts'

async function header(file: Buffer): Promise<PictureHeader> {
  const { width, height, alpha, grey, deep } = openPicture(file)
  return { width, height, alpha, grey, deep }
}

async function decode(file: Buffer): Promise<Bitmap> {
  const picture = openPicture(withWideApertures(file))
  const { bits, ...pixels } = decodePixels(picture)
  if (hasLimitedGrey(picture)) stretchGrey({ ...pixels, bits })
  if (picture.premultiplied && pixels.channels === 4) unpremultiply(pixels.data, pixels.channels)
  const icc = profileFor(picture)
  return icc ? { ...pixels, icc } : pixels
}

/** HEIC by libheif and libde265, in WebAssembly: thumbnails, depth maps and further pictures are left alone. */
export const heicReader: Reader = { header, decode }
