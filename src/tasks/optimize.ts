import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { type Encoded, prepare, settingsFor } from '../image/encode.ts'
import { smallest } from '../image/smallest.ts'
import { quality } from './fields.ts'
import { sameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

/** Never larger than the input: if no encoding is smaller, the input is returned with unchanged pixels. */
export const optimize = defineOperation({
  summary: 'Re-encode to reduce size; the original format is preserved.',
  description:
    'Several encodings are tried, and the smallest that looks as good as a plain JPEG of the quality is sent: measured on this ' +
    'very picture by SSIM. At 100 no pixel changes. The answer is never larger than the input.',
  params: z.object({
    quality: quality('1–100; at 100 no pixel changes.').default(limits.quality.default),
  }),
  files: ['image'],
  stem: 'optimized',
  plan: ({ codec, width, height }) => ({ codec, width, height }),
  async render(image, { quality }, plan) {
    const edited = sameFormat(image, image.pixels, plan, quality)
    const { codec, width, height } = plan
    const { grey, alpha, deep, delay, codec: own } = image.header
    const untouched: Encoded = { bytes: own.strip?.(image.source) ?? image.source, codec: own, width, height, untouched: true }
    const source = own.name === codec.name ? untouched : undefined
    const pixels = prepare(edited)
    const attempts = codec.candidates(pixels, {
      ...settingsFor(edited),
      quality,
      plain: !alpha && !deep,
      deep: deep && codec.deep,
      source,
    })
    if (codec.finish) {
      const [attempt] = attempts
      const interim = typeof attempt === 'function' ? await attempt(untouched.bytes.length) : undefined
      return interim ? { ...interim, codec, finish: { quality, otherwise: untouched.bytes } } : untouched
    }
    const judged = { pixels, codec, quality, grey, alpha: alpha && codec.alpha, frames: image.frames, delay }
    return smallest(untouched, attempts, judged)
  },
})
