import { recognise } from '@pixelmill/codecs'
import sharp from 'sharp'

/** A file that sharp opens: itself, or of a format that sharp does not know, its pixels as PNG. */
export async function readable(bytes: Buffer): Promise<Buffer> {
  const reader = recognise(bytes)?.reader
  if (!reader) return bytes
  const { frames = 1 } = await reader.header(bytes)
  const { data, width, height, channels } = await reader.decode(bytes, undefined, frames)
  const pixels = sharp(data, {
    raw: { width, height, channels: channels as 1 | 3 | 4, ...(frames > 1 && { pageHeight: height / frames }) },
  })
  return frames > 1 ? pixels.webp({ lossless: true }).toBuffer() : pixels.png().toBuffer()
}
