import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { forOneFrame, openImage } from '@pixelmill/codecs/pixels/open'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { sharp } from '@pixelmill/codecs/sharp'
import type { OutputInfo } from 'sharp'
import { resize } from './resize.ts'

export interface RawPixels {
  readonly data: Buffer
  readonly raw: Size & { readonly channels: 4 }
}

/**
 * Decodes a watermark to raw sRGB pixels with alpha, as large as fits into the box, its alpha multiplied by `opacity` (0–1).
 * @param name of the form field, for errors
 * @throws ImageError that names the watermark, since the caller sent two files
 */
export async function readWatermark(bytes: Buffer, name: string, box: Size, opacity: number): Promise<RawPixels> {
  try {
    const header = await readHeader(bytes)
    // An animated watermark gives its first frame.
    const image = await openImage(bytes, header, forOneFrame)
    const mark = (await resize(image, { ...box, fit: 'inside', background: '#ffffff00' })).toColourspace('srgb').ensureAlpha()
    // linear() refuses grey watermarks and ensureAlpha(n) only fills in a missing alpha; 'dest-in' multiplies any alpha.
    const mask = {
      input: Buffer.from([255, 255, 255, Math.round(255 * opacity)]),
      raw: { width: 1, height: 1, channels: 4 },
    } as const
    const { data, info } = await mark
      .composite([{ ...mask, tile: true, blend: 'dest-in' }])
      .raw()
      .toBuffer({ resolveWithObject: true })
    return {
      data: info.channels === 4 ? data : await withAlpha(data, info),
      raw: { width: info.width, height: info.height, channels: 4 },
    }
  } catch (cause) {
    if (cause instanceof ImageError)
      throw new ImageError(cause.code, { message: `In the form field "${name}": ${cause.message}`, cause })
    throw new ImageError('invalid_image', { message: 'The watermark is damaged or cannot be read; send an intact file.', cause })
  }
}

/** The compositor returns grey watermarks with two channels. */
const withAlpha = (data: Buffer, { width, height, channels }: OutputInfo): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels } }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
