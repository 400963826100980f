import { codecs } from '@pixelmill/codecs'
import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { inlineImage, outgoingImage } from '@pixelmill/engine/crops/inline-image'
import { sourceFeatures } from '@pixelmill/engine/tasks/task'
import { modes } from '@pixelmill/vision/enhance/choose'
import { z } from 'zod'
import { imageJsonReply } from '../../http/image-json-reply.ts'
import { aiHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { aiMeta } from '../answer.ts'
import { enhanceImage } from '../tasks/enhance.ts'
import { answerWithAi, imageErrors } from './answer-with-ai.ts'

const mode = z.enum(modes)
const intensity = z.literal([1, 2, 3])
const format = z.enum(Object.values(codecs).map(({ name }) => name))
const count = z.int().min(1)
const file = z.object({ width: count, height: count, bytes: count, format }).meta(component('ImageFile'))
const noise = z
  .number()
  .min(0)
  .describe('Standard deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3.')
const sharpness = z.number().min(0).max(1).describe('1 is the maximum at this resolution; photographs have 0.6 to 0.9.')

const answer = z.object({
  mode: mode.describe('The operation that was applied; for auto, the operation if it was a single one.'),
  requestedMode: mode,
  intensity,
  operations: z
    .array(
      z.object({
        name: z.enum(['denoise', 'deblur', 'upscale']),
        params: z.record(z.string(), z.unknown()).describe('The parameters used; they may change between versions.'),
      }),
    )
    .describe('The steps applied, in order. Empty if nothing would improve the picture: then it is returned unchanged.'),
  original: file.describe('For an animation, the size of its first frame; only this frame is enhanced.'),
  enhanced: file.describe(
    'In the format of the upload; but a changed HEIC, and a result too large for its format, becomes JPEG, or PNG with transparency.',
  ),
  metrics: z.object({ noiseBefore: noise, noiseAfter: noise, sharpnessBefore: sharpness, sharpnessAfter: sharpness }),
  hdr: sourceFeatures.hdr,
  contentCredentials: sourceFeatures.contentCredentials,
  image: outgoingImage.optional().describe('Only with `returnPreview`: the enhanced image.'),
  ...aiMeta,
})

export const enhance = defineRoute({
  method: 'POST',
  path: '/v1/ai/enhance',
  name: 'enhance',
  tag: 'AI',
  summary: 'Enlarge, denoise or sharpen an image.',
  description: `Measures noise and blur, and applies the filters that improve the picture; a good picture is returned unchanged. Images may have up to ${limits.pixels / 1e6} megapixels; to be enlarged, up to ${limits.pixels / 4e6}. Counts as one image for the daily quota.`,
  admission: 'aiPlatform',
  json: z.object({
    image: inlineImage,
    mode: mode
      .default('auto')
      .describe(
        "The operation. auto removes noise and blur where there is much of it; upscale doubles width and height, or enlarges by the factor of the operator's model.",
      ),
    intensity: intensity.default(2).describe('1: light, 2: medium, 3: strong.'),
    returnPreview: z.boolean().default(true).describe('Whether the response contains the enhanced image.'),
  }),
  images: true,
  produces: ['application/json'],
  answer,
  headers: aiHeaderTexts,
  errors: ['ai_daily_limit_exceeded', 'rate_limited', ...imageErrors],
  async handle(call) {
    const { image, mode, intensity, returnPreview } = call.body
    const answer = await answerWithAi({ ...call, body: {} }, { images: 1, model: 'optional' }, async (request) => ({
      body: await enhanceImage(call.services, request, image, { mode, intensity, preview: returnPreview }),
    }))
    return imageJsonReply(answer)
  },
})
