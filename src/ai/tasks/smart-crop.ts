import { z } from 'zod'
import { fractionField, wordsField } from './answer-fields.ts'
import { GUARD } from './guard.ts'

/** Room for a few numbers and words, and for the thoughts of a model that thinks. */
const MAX_TOKENS = 1_500
const DESCRIPTION_CHARACTERS = 120

const SYSTEM = `You find the part of an image that has to stay visible when the image is cropped. ${GUARD}
- subject: what the main subject is, in at most ten English words.
- box: the smallest rectangle around the whole main subject, with all faces and words that matter, as fractions of the image's width and height from its upper left corner: left, top, right and bottom from 0 to 1.
- focalPoint: the one most important point of the subject (of people: between the eyes), x and y in the same fractions.
- confidence: from 0 to 1, how sure you are of box.`

const number = { type: 'number' } as const
/** Asked for as numbers, and read by model-subject.ts, whatever comes. */
const place = (properties: Readonly<Record<string, typeof number>>) => z.unknown().optional().meta({ type: 'object', properties })

const answerSchema = z
  .object({
    subject: wordsField(DESCRIPTION_CHARACTERS),
    box: place({ left: number, top: number, right: number, bottom: number }),
    focalPoint: place({ x: number, y: number }),
    confidence: fractionField,
  })
  .refine(({ subject, box }) => subject !== '' || box !== undefined, 'box is missing')

/** What is asked of a model for one image. */
export const subjectQuestion = (image: string) => ({
  system: SYSTEM,
  user: 'Find the main subject.',
  images: [image],
  schema: answerSchema,
  maxTokens: MAX_TOKENS,
})
