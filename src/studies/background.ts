import { z } from 'zod'
import { codecs } from '../codecs/index.ts'
import { limits, MiB } from '../contract/limits.ts'
import { encode } from '../image/encode.ts'
import { removeBackground } from '../image/matting/remove-background.ts'
import { checkResult } from '../image/result-size.ts'
import { sharp } from '../image/sharp.ts'
import { defineStudy } from './study.ts'

/** The picture without its background, unless that could not be told apart with enough confidence. */
export const background = defineStudy({
  params: z.object({
    format: z.enum(['png', 'webp']),
    /** With less confidence there is a report, but no file. */
    least: z.number().min(0).max(1),
  }),
  report: z.object({ confidence: z.number().min(0).max(1) }),
  mostFiles: 1,
  // The largest image without compression.
  fileBytes: limits.pixels * 4 + MiB,
  async examine({ header, pixels }, { format, least }) {
    const codec = codecs[format]
    checkResult(header, 1, codec)
    const { data, width, height, confidence } = await removeBackground(pixels)
    if (confidence < least) return { report: { confidence }, files: [] }
    const cut = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    const how = { quality: undefined, frames: 1, grey: header.grey, keepDepth: false }
    const { bytes } = await encode({ pixels: cut, codec, width, height, header, ...how })
    return { report: { confidence }, files: [bytes] }
  },
})
