import type { InlineImage } from '@pixelmill/engine/crops/inline-image'
import { z } from 'zod'
import { isRefusal } from '../../contract/api-error.ts'
import type { Ai } from '../ai.ts'
import { AiError } from '../client/ai-error.ts'
import { copyForModel } from '../copy-for-model.ts'
import type { AiRequest } from '../request.ts'
import { flagField, GUARD, wordsField } from '../tasks/answer-fields.ts'
import type { UseCase } from './use-cases.ts'

/**
 * The model's judgement of an image; undefined without a model, or where the platform's fails: then the pixels decide.
 * @throws ApiError what is wrong with the image, or with the caller's own model; the signal's reason once that aborts
 */
export async function judge(
  ai: Pick<Ai, 'poolOf' | 'heic'>,
  { account, hasModel, provider, ask }: Pick<AiRequest, 'account' | 'hasModel' | 'provider' | 'ask'>,
  image: InlineImage,
  { name }: UseCase,
  signal: AbortSignal,
): Promise<Judgement | undefined> {
  if (!hasModel) return undefined
  const { url } = await copyForModel(ai, account, image, signal)
  try {
    return await ask(judgementQuestion(name, url), signal)
  } catch (error) {
    signal.throwIfAborted()
    const modelFailed = isRefusal(error) && error.cause instanceof AiError
    if (provider === 'platform' && modelFailed) return undefined
    throw error
  }
}

/** Kinds of pictures, and whether they are drawings or text; undefined: the pixels decide. */
const kinds = {
  photo: false,
  illustration: undefined,
  screenshot: true,
  chart: true,
  document: true,
  logo: true,
  icon: true,
  other: undefined,
} as const satisfies Record<string, boolean | undefined>

const kindNames = Object.keys(kinds) as [keyof typeof kinds, ...(keyof typeof kinds)[]]

const SENTENCE_CHARACTERS = 200
/** Enough for a sentence and for the reasoning of a model. */
const MAX_TOKENS = 1_500

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** One sentence was asked for. */
const firstSentence = (text: string): string => sentences.segment(text)[Symbol.iterator]().next().value?.segment.trim() ?? ''

const schema = z.object({
  kind: z.enum(kindNames).catch('other'),
  hasText: flagField,
  needsLossless: flagField,
  needsTransparency: flagField,
  reason: wordsField(SENTENCE_CHARACTERS).transform(firstSentence),
})

/** A model's judgement of a picture's content. Formats, quality, sizes and bytes are not left to it. */
export type Judgement = z.output<typeof schema>

const system = `You judge what kind of content an image has, so that a service can choose its file format. ${GUARD}
- kind: what it mainly is.
- hasText: whether there is text that people are to read.
- needsLossless: true only for text, line art, screenshots or scans in which traces of lossy compression would be seen.
- needsTransparency: whether it is to stand on other backgrounds than its own, as logos and icons do.
- reason: one plain English sentence of at most 25 words about the content.`

/** The question to the model for one image. */
const judgementQuestion = (useCase: string, image: string) => ({
  system,
  user: `Judge this image. It is meant for ${useCase}.`,
  images: [image],
  schema,
  maxTokens: MAX_TOKENS,
})

/** Whether the judgement makes the picture a drawing; undefined: the pixels decide. */
export const isDrawn = ({ kind, needsLossless }: Judgement): boolean | undefined => needsLossless || kinds[kind]
