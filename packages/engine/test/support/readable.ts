import { jxl } from '@pixelmill/codecs/jxl/index'
import { jxlReader } from '@pixelmill/codecs/jxl/reader'
import sharp from 'sharp'

/** A file that sharp opens: itself, or of JPEG XL, which sharp does not know, its pixels as PNG. */
export async function readable(bytes: Buffer): Promise<Buffer> {
  if (!jxl.matches(bytes.subarray(0, 64))) return bytes
  const { frames = 1 } = await jxlReader.header(bytes)
  const { data, width, height, channels } = await jxlReader.decode(bytes, undefined, frames)
  const pixels = sharp(data, {
    raw: { width, height, channels: channels as 1 | 3 | 4, ...(frames > 1 && { pageHeight: height / frames }) },
  })
  return frames > 1 ? pixels.webp({ lossless: true }).toBuffer() : pixels.png().toBuffer()
}
