import { limits } from '@pixelmill/codecs/contract/limits'
import { inlineImage } from '@pixelmill/engine/crops/inline-image'
import { z } from 'zod'
import { aiHeaderTexts, jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { multiAnswer } from '../answer.ts'
import { copyForModel } from '../copy-for-model.ts'
import { eachImage } from '../each-image.ts'
import { userProvider } from '../provider.ts'
import { altTextQuestion, styleNames } from '../tasks/alt-text.ts'
import { languageCodes } from '../tasks/languages.ts'
import { answerWithAi, imageErrors, modelErrors } from './answer-with-ai.ts'

const language = z.enum(languageCodes)
const style = z.enum(styleNames)

const answer = multiAnswer({
  altText: z.string().describe('Plain text: escape it in HTML. Empty for a decorative image, as in `alt=""`.'),
  language,
  style,
  decorative: z.boolean().describe('Whether the image is purely decorative.'),
  textInImage: z.string().nullable().describe('Text that can be read in the image, in its own language.'),
  confidence: z.number().min(0).max(1).describe('Confidence as stated by the model.'),
})

export const altText = defineRoute({
  method: 'POST',
  path: '/v1/ai/alt-text',
  name: 'altText',
  tag: 'AI',
  summary: 'Write alternative texts for images.',
  description:
    'A model writes one text for each image, with at most 350 characters in the style descriptive, 160 in seo and 125 in concise; in Chinese, Japanese and Korean 0.6 times as many. Each image counts once for the daily quota; failed images do not count. Images may also be the files of a form; then userProvider is JSON.',
  admission: 'ai',
  json: z.object({
    images: z.array(inlineImage).min(1).max(limits.ai.altTextImages).describe('1 – 10 images as Base64 data URIs.'),
    language: language.default('en').describe('Language of the texts, as ISO 639-1 code.'),
    style: style
      .default('descriptive')
      .describe('descriptive: full sentences; concise: one short phrase; seo: a sentence for search engines.'),
    userProvider: userProvider.optional(),
  }),
  images: true,
  imageForm: { field: 'images', mostImages: limits.ai.altTextImages, texts: ['language', 'style'], json: ['userProvider'] },
  produces: ['application/json'],
  answer,
  headers: aiHeaderTexts,
  errors: [...modelErrors, ...imageErrors, 'missing_form_data'],
  async handle(call) {
    const { images, language, style } = call.body
    const answer = await answerWithAi(call, { images: images.length, model: 'needed' }, async (request) => {
      const body = await eachImage(images, request.signal, async (image, _, signal) => {
        const { url } = await copyForModel(call.services.ai, request.account, image, signal)
        const { altText, ...said } = await request.ask(altTextQuestion({ language, style }, url), signal)
        return { altText, language, style, ...said }
      })
      return { body, failed: body.summary.failed }
    })
    return jsonReply(answer)
  },
})
