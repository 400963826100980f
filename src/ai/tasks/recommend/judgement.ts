import { z } from 'zod'
import { flagField, wordsField } from '../answer-fields.ts'
import { GUARD } from '../guard.ts'

/** What a picture can be, and whether it is drawn or typeset; undefined where its pixels tell better than the word. */
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
/** Room for a sentence, and for the thoughts of a model that thinks. */
const MAX_TOKENS = 1_500

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** One is what was asked for. */
const firstSentence = (text: string): string => sentences.segment(text)[Symbol.iterator]().next().value?.segment.trim() ?? ''

const schema = z.object({
  kind: z.enum(kindNames).catch('other'),
  hasText: flagField,
  needsLossless: flagField,
  needsTransparency: flagField,
  reason: wordsField(SENTENCE_CHARACTERS).transform(firstSentence),
})

/** What a model says of a picture's content. Formats, qualities, sizes and bytes are none of its business. */
export type Judgement = z.output<typeof schema>

const system = `You judge what kind of content an image has, so that a service can choose its file format. ${GUARD}
- kind: what it mainly is.
- hasText: whether there is text that people are to read.
- needsLossless: true only for text, line art, screenshots or scans in which traces of lossy compression would be seen.
- needsTransparency: whether it is to stand on other backgrounds than its own, as logos and icons do.
- reason: one plain English sentence of at most 25 words about the content.`

/** What is asked of a model for one image. */
export const judgementQuestion = (useCase: string, image: string) => ({
  system,
  user: `Judge this image. It is meant for ${useCase}.`,
  images: [image],
  schema,
  maxTokens: MAX_TOKENS,
})

/** Whether a judgement makes a picture a drawing; undefined where its pixels are to tell. */
export const isDrawn = ({ kind, needsLossless }: Judgement): boolean | undefined => needsLossless || kinds[kind]
