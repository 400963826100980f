import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { isGrey } from '../image/enhance/enhance.ts'
import { survey } from '../image/enhance/survey.ts'
import { superResolve } from '../image/inference/super-resolve.ts'
import { clearHidden } from '../image/matting/already-cut-out.ts'
import type { Raster } from '../image/ssim.ts'
import { readStrip } from '../image/strip.ts'
import { enhance, fileOf, reportOf } from './enhance.ts'
import { defineStudy } from './study.ts'

/** The picture enlarged by a model: what `enhance` tells of it is told of this too. */
export const modelUpscale = defineStudy({
  params: z.object({
    model: z.object({ path: z.string(), threads: z.int() }),
    intensity: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    /** Whether the enlarged file is wanted, or what there is to say of it alone. */
    preview: z.boolean(),
  }),
  report: enhance.report,
  needsModels: true,
  mostFiles: 1,
  fileBytes: limits.enhance.resultBytes,
  async examine(image, { model, intensity, preview }) {
    const strip = await readStrip(image.pixels, 1, false)
    const { picture, factor } = await superResolve(strip, model)
    if (picture.channels === 4) clearHidden(picture as Raster)
    const grey = isGrey(strip)
    const enhanced = {
      picture,
      operations: [{ name: 'upscale', params: { factor, model: true } }],
      before: survey(strip, grey),
      after: survey(picture, grey),
    } as const
    const written = await fileOf(image, enhanced)
    const report = reportOf(image, { mode: 'upscale', intensity }, enhanced, written)
    return { report, files: preview ? [written.bytes] : [] }
  },
})
