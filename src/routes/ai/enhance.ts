import { z } from 'zod'
import { aiMeta } from '../../ai/answer.ts'
import { enhanceImage } from '../../ai/tasks/enhance.ts'
import { codecs } from '../../codecs/index.ts'
import { inlineImage, outgoingImage } from '../../contract/inline-image.ts'
import { limits } from '../../contract/limits.ts'
import { imageJsonReply } from '../../http/image-json-reply.ts'
import { aiHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { modes } from '../../image/enhance/choose.ts'
import { answerWithAi, imageErrors } from './answer-with-ai.ts'

const mode = z.enum(modes)
const intensity = z.literal([1, 2, 3])
const format = z.enum(Object.values(codecs).map(({ name }) => name))
const count = z.int().min(1)
const file = z.object({ width: count, height: count, bytes: count, format })
const noise = z.number().min(0).describe('Deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3.')
const sharpness = z.number().min(0).max(1).describe('1 is as sharp as pixels can be; photographs have 0.6 to 0.9.')

const answer = z.object({
  mode: mode.describe('What was done; of auto, the operation where it was a single one.'),
  requestedMode: mode,
  intensity,
  operations: z
    .array(
      z.object({
        name: z.enum(['denoise', 'deblur', 'upscale']),
        params: z.record(z.string(), z.unknown()).describe('The numbers it was done with; they may change with the version.'),
      }),
    )
    .describe('What was done, in order. Empty where nothing would have made the picture better: then it stays as it was sent.'),
  original: file.describe('Of an animation, the size of its first frame, which alone is enhanced.'),
  enhanced: file.describe(
    'In the format that came; but HEIC that was changed, and what is too long for its format, becomes JPEG, or PNG with transparency.',
  ),
  metrics: z.object({ noiseBefore: noise, noiseAfter: noise, sharpnessBefore: sharpness, sharpnessAfter: sharpness }),
  image: outgoingImage.optional().describe('With `returnPreview`: the whole enhanced image.'),
  ...aiMeta,
})

export const enhance = defineRoute({
  method: 'POST',
  path: '/v1/ai/enhance',
  name: 'enhance',
  tag: 'AI',
  summary: 'Enlarge an image, take away its noise, or sharpen it.',
  description: `The pixels tell how much noise and blur there is, and what is done follows from it; a picture that is good is left alone. Images have at most ${limits.pixels / 1e6} megapixels, those to be enlarged ${limits.pixels / 4e6}. It counts as one image for the daily quota.`,
  admission: 'aiPlatform',
  json: z.object({
    image: inlineImage,
    mode: mode
      .default('auto')
      .describe(
        'What is to be done. auto takes away noise and blur where there is much of it; upscale doubles width and height, or as a model does that the operator has set.',
      ),
    intensity: intensity.default(2).describe('1 is light, 2 medium, 3 strong.'),
    returnPreview: z.boolean().default(true).describe('Whether the answer has the enhanced image.'),
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
