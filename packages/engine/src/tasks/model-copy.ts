import { codecs } from '@pixelmill/codecs'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { looksDrawn } from '@pixelmill/codecs/pixels/looks-drawn'
import { insideSize } from '@pixelmill/codecs/pixels/raster'
import { sharp } from '@pixelmill/codecs/sharp'
import { z } from 'zod'
import { defineTask } from './task.ts'

const formats = Object.values(codecs).map(({ name }) => name)
const side = z.int().min(1).max(limits.pixels)

/** High enough for models, which see an image as some hundred tokens. */
const QUALITY = 80

/**
 * The copy of an image for model servers, which receive nothing else: re-encoded, so that it contains neither metadata nor other
 * data hidden in the file; small, and JPEG, which every model server accepts.
 */
export const modelCopy = defineTask({
  params: z.object({}),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    format: z.enum(formats),
    frames: z.int().min(1).max(limits.frames),
    /** Whether the header has an alpha channel. */
    alpha: z.boolean(),
    /** Whether it looks like a screenshot, a scan or a chart: its copy is larger, so that small print stays legible. */
    drawn: z.boolean(),
  }),
  mostFiles: 1,
  // Noise of 1,568 × 1,568 pixels has a quarter of this.
  fileBytes: 8 * MiB,
  async run({ header, pixels }) {
    const { width, height, codec, frames, alpha } = header
    const large = limits.ai.modelCopy.drawn
    const { data, info } = await pixels
      .resize({ ...insideSize(header, large), fit: 'fill' })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const isDrawn = looksDrawn({ data, ...raw })
    const most = isDrawn ? large : limits.ai.modelCopy.photo
    const copy = await sharp(data, { raw })
      .resize({ ...insideSize(header, most), fit: 'fill' })
      .jpeg({ quality: QUALITY })
      .toBuffer()
    return { report: { width, height, format: codec.name, frames, alpha, drawn: isDrawn }, files: [copy] }
  },
})
