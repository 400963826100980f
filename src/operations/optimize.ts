import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { type Encoded, prepare, settingsFor } from '../image/encode.ts'
import { quality } from './fields.ts'
import { defineOperation } from './operation.ts'
import { sameFormat } from './same-format.ts'

/** Never more bytes than came in: where no encoding is smaller, the input goes back with its pixels untouched. */
export const optimize = defineOperation({
  summary: 'Re-encode to reduce size; the original format is preserved.',
  description:
    'PNG and GIF are quantised, JPEG is written by mozjpeg; at 100 nothing is lost where the format can. The answer is never larger than the input.',
  params: z.object({
    quality: quality('1–100; 100 is lossless where the format can.').default(limits.quality.default),
  }),
  files: ['image'],
  stem: 'optimized',
  plan: ({ codec, width, height }) => ({ codec, width, height }),
  async render(image, { quality }, plan) {
    const edited = sameFormat(image, image.pixels, plan, quality)
    const { codec } = plan
    const { alpha, deep } = image.header
    const attempts = codec.candidates(prepare(edited), { ...settingsFor(edited), quality, plain: !alpha && !deep })
    const own = image.header.codec
    const untouched = own.strip?.(image.source) ?? image.source
    let smallest: Encoded = { bytes: untouched, codec: own, width: plan.width, height: plan.height }
    if (codec.finish) {
      const [attempt] = attempts
      return attempt ? { ...(await attempt()), codec, finish: { quality, otherwise: untouched } } : smallest
    }
    for (const attempt of attempts) {
      const tried = await attempt()
      if (tried.bytes.length < smallest.bytes.length) smallest = { ...tried, codec }
    }
    return smallest
  },
})
