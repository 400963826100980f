import { z } from 'zod'
import { multiAnswer } from '../../ai/answer.ts'
import { copyForModel } from '../../ai/copy-for-model.ts'
import { eachImage } from '../../ai/each-image.ts'
import { userProvider } from '../../ai/provider.ts'
import { extensionOf, wordStyleAliases, wordStyleNames, wordsOf } from '../../ai/tasks/name-files.ts'
import { renamed, renameQuestion } from '../../ai/tasks/rename.ts'
import { codecs } from '../../codecs/index.ts'
import { inlineImage } from '../../contract/inline-image.ts'
import { limits } from '../../contract/limits.ts'
import { aiHeaderTexts, jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
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
    .describe('What the file is called now, with its extension. It is a hint to the model, and comes back as it was sent.'),
})

const rules = z.object({
  prefix: z
    .string()
    .max(prefixLength)
    .refine(
      (text) => text.trim() === '' || wordsOf(text).length > 0,
      'Must have letters or digits that can be written in a-z and 0-9.',
    )
    .optional()
    .describe('Words in front of each name. Letters of other scripts become a-z where they can.'),
  includeSequence: z
    .boolean()
    .default(false)
    .describe('Whether names end in the place of their image in the request, from 01; an image that fails keeps its number.'),
  style: z
    .preprocess((name) => wordStyleAliases.get(name) ?? name, z.enum(wordStyleNames))
    .default('kebab')
    .describe(
      `red-bicycle, red_bicycle, redBicycle, RedBicycle, Red Bicycle or redbicycle. Also ${[...wordStyleAliases.keys()].join(', ')}.`,
    ),
})

const fileName = z.string().max(LONGEST_NAME)

const answer = multiAnswer({
  originalName: z.string().describe('As it was sent.'),
  newName: fileName.describe(
    'A name of a-z, A-Z, 0-9, and what the style puts between words, that Windows, macOS and Linux take. No two of an answer are equal, whatever their case.',
  ),
  extension: z
    .string()
    .describe('Of `newName`, without the dot: that of the original name where it fits the bytes, else what the bytes are.'),
  alternatives: z
    .array(fileName)
    .describe('Up to three other names, with prefix, number and extension: any may be taken instead.'),
  confidence: z.number().min(0).max(1).describe('How sure the model says it is.'),
})

export const rename = defineRoute({
  method: 'POST',
  path: '/v1/ai/rename',
  name: 'rename',
  tag: 'AI',
  summary: 'Find file names that say what images show.',
  description:
    'A model says in a few English words what each image shows; they become a name of at most 80 characters and its extension. Each image counts once for the daily quota; those that fail do not.',
  admission: 'ai',
  json: z.object({
    images: z.array(image).min(1).max(limits.ai.renameImages).describe('1 – 20 images with their names.'),
    rules: rules.prefault({}).describe('How names are put together.'),
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
        const said = await request.ask(renameQuestion(originalName, url), signal)
        return { ...said, originalName, extension: extensionOf(originalName, codecs[format]) }
      })
      return { body: renamed(suggestions, rules), failed: suggestions.summary.failed }
    })
    return jsonReply(answer)
  },
})
