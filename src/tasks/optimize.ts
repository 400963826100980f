import { z } from 'zod'
import { invalidParam } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import { type Edited, type Encoded, prepare, settingsFor } from '../image/encode.ts'
import { smallest } from '../image/smallest.ts'
import { encodeToTarget, type Target } from '../image/to-target.ts'
import { hasTarget, quality, target, targetIssue } from './fields.ts'
import { sameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

/** Never larger than the input: if no encoding is smaller, the input is returned with unchanged pixels. */
export const optimize = defineOperation({
  summary: 'Re-encode to reduce size; the original format is preserved.',
  description:
    'Several encodings are tried, and the smallest that looks as good as a plain JPEG of the quality is sent: measured on this ' +
    'very picture by SSIM. At 100 no pixel changes. The answer is never larger than the input.',
  params: z.object({
    quality: quality('1–100; at 100 no pixel changes.').optional().meta({ default: limits.quality.default }),
    ...target,
  }),
  files: ['image'],
  stem: 'optimized',
  plan({ codec, width, height }, params) {
    const issue = targetIssue(params, codec)
    if (issue) throw invalidParam(String(issue.path[0]), issue.code, issue.message)
    return { codec, width, height }
  },
  async render(image, params, plan) {
    const { quality = limits.quality.default } = params
    const edited = sameFormat(image, image.pixels, plan, quality)
    const { codec, width, height } = plan
    const { grey, alpha, deep, delay, codec: own } = image.header
    const untouched: Encoded = { bytes: own.strip?.(image.source) ?? image.source, codec: own, width, height, untouched: true }
    const source = own.name === codec.name ? untouched : undefined
    if (hasTarget(params)) return smallerToTarget(edited, params, untouched)
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

/** What `convert` would send, unless the file as it came is smaller or, with nothing but bytes asked for, fits. */
async function smallerToTarget(edited: Edited, target: Target, untouched: Encoded): Promise<Encoded> {
  const { visualQuality, maxBytes = Number.POSITIVE_INFINITY, quality } = target
  const asItCame = { ...untouched, score: 100 }
  const fits = untouched.bytes.length <= maxBytes
  if (fits && visualQuality === undefined && quality === undefined) {
    // Finds a damaged file.
    await prepare(edited).raw().toBuffer()
    return asItCame
  }
  const found = await encodeToTarget(edited, target)
  return fits && untouched.bytes.length <= found.bytes.length ? asItCame : found
}
