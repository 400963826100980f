import { z } from 'zod'
import { codecs } from '../codecs/index.ts'
import { limits, MiB } from '../contract/limits.ts'
import { encode } from '../image/encode.ts'
import { removeBackground } from '../image/matting/remove-background.ts'
import { checkResult } from '../image/result-size.ts'
import { sharp } from '../image/sharp.ts'
import { defineStudy } from './study.ts'

const side = z.int().min(1).max(limits.pixels)

/**
 * The picture without its background, unless that could not be told apart with enough confidence; of an animation the first
 * frame. 80 megapixels take a renderer some 5 s as PNG and 500 MB, some 20 s as WebP and 2,400 MB: see docs/quality.md.
 */
export const background = defineStudy({
  params: z.object({
    format: z.enum(['png', 'webp']),
    /** With less confidence than this there is a report, but no file; with 0 there always is one. */
    least: z.number().min(0).max(1),
  }),
  report: z.object({
    /** How likely the cut is right; 1 for a picture that came cut out. */
    confidence: z.number().min(0).max(1),
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
  }),
  mostFiles: 1,
  // The largest image without compression.
  fileBytes: limits.pixels * 4 + MiB,
  // Nine times what 12 megapixels take on a core that is free.
  secondsPerMegapixel: 1.5,
  async examine({ header, pixels }, { format, least }) {
    const codec = codecs[format]
    checkResult(header, 1, codec)
    const { data, width, height, confidence } = await removeBackground(pixels, least)
    const report = { confidence, width, height }
    if (confidence < least) return { report, files: [] }
    const cut = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    const how = { quality: undefined, frames: 1, grey: header.grey, keepDepth: false }
    const { bytes } = await encode({ pixels: cut, codec, width, height, header, ...how })
    return { report, files: [bytes] }
  },
})
