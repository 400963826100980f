import { codecs } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { inlineImage } from '@pixelmill/engine/crops/inline-image'
import { z } from 'zod'
import { aiHeaderTexts, jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { multiAnswer } from '../answer.ts'
import { copyForModel } from '../copy-for-model.ts'
import { eachImage } from '../each-image.ts'
import { userProvider } from '../provider.ts'
import { extensionOf, wordStyleAliases, wordStyleNames, wordsOf } from '../tasks/name-files.ts'
import { renameQuestion, renameResults } from '../tasks/rename.ts'
import { answerWithAi, imageErrors, modelErrors } from './answer-with-ai.ts'

const { originalNameLength, prefixLength } = limits.ai
/** 80 characters, the dot, and the longest extension. */
const LONGEST_NAME = 85

const image = z.object({
  data: inlineImage,
  originalName: z
    .string()
    .max(originalNameLength)
    .default('image')
    .describe('The current file name with its extension. It is a hint for the model and is returned unchanged.'),
})

const rules = z.object({
  prefix: z
    .string()
    .max(prefixLength)
    .refine(
      (text) => text.trim() === '' || wordsOf(text).length > 0,
      'Must contain letters or digits that can be written in a-z and 0-9.',
    )
    .optional()
    .describe('Words at the start of each name. Letters of other scripts are transliterated to a-z where possible.'),
  includeSequence: z
    .boolean()
    .default(false)
    .describe('Whether names end with the number of their image in the request, from 01; failed images keep their numbers.'),
  style: z
    // The default is inside, from where the API document and the forms have it.
    .preprocess((name) => wordStyleAliases.get(name) ?? name, z.enum(wordStyleNames).default('kebab'))
    .describe(
      `red-bicycle, red_bicycle, redBicycle, RedBicycle, Red Bicycle or redbicycle. Also ${[...wordStyleAliases.keys()].join(', ')}.`,
    ),
})

const fileName = z.string().max(LONGEST_NAME)

const answer = multiAnswer({
  originalName: z.string().describe('The original name as sent.'),
  newName: fileName.describe(
    'A name that is valid on Windows, macOS and Linux: a-z, A-Z, 0-9 and the separators of the style. Names in a response are unique, ignoring case.',
  ),
  extension: z
    .string()
    .describe(
      "The extension of `newName`, without the dot: the original one if it matches the file's format, otherwise that of the format.",
    ),
  alternatives: z.array(fileName).describe('Up to three alternative names, with prefix, number and extension.'),
  confidence: z.number().min(0).max(1).describe('Confidence as stated by the model.'),
})

export const rename = defineRoute({
  method: 'POST',
  path: '/v1/ai/rename',
  name: 'rename',
  tag: 'AI',
  summary: 'Suggest file names that describe images.',
  description:
    'A model describes each image in a few English words, which become a name of at most 80 characters and an extension. Each image counts once for the daily quota; failed images do not count.',
  admission: 'ai',
  json: z.object({
    images: z.array(image).min(1).max(limits.ai.renameImages).describe('1 – 20 images with their names.'),
    rules: rules.prefault({}).describe('Rules for building names.'),
    userProvider: userProvider.optional(),
  }),
  images: true,
  produces: ['application/json'],
  answer,
  headers: aiHeaderTexts,
  errors: [...modelErrors, ...imageErrors],
  async handle(call) {
    const { images, rules } = call.body
    const answer = await answerWithAi(call, { images: images.length, model: 'needed' }, async (request) => {
      const suggestions = await eachImage(images, request.signal, async ({ data, originalName }, _, signal) => {
        const { url, format } = await copyForModel(call.services.ai, request.account, data, signal)
        const saidAnswer = await request.ask(renameQuestion(originalName, url), signal)
        return { ...saidAnswer, originalName, extension: extensionOf(originalName, codecs[format]) }
      })
      return { body: renameResults(suggestions, rules), failed: suggestions.summary.failed }
    })
    return jsonReply(answer)
  },
})
