import { z } from 'zod'
import type { ImageResults } from '../each-image.ts'
import { fractionField, GUARD, listField, wordsField, wordsOf } from './answer-fields.ts'
import { type FileNames, type NamingRules, nameFiles } from './name-files.ts'

const SUBJECT_CHARACTERS = 120
const ALTERNATIVES = 3
/** Enough for a few words and for the reasoning of a model. */
const MAX_TOKENS = 1_500

const systemPrompt = `You name image files. ${GUARD}
- subject: 2 to 6 English words in lower case, of the letters a-z and digits only, that say what the image shows, the most important first. No dates, no file extension, and no word such as image, photo or picture.
- alternatives: up to ${ALTERNATIVES} other subjects.
- confidence: from 0 to 1, how sure you are of subject.`

/** The question to the model for one image. */
export const renameQuestion = (originalName: string, image: string) => ({
  system: systemPrompt,
  user: `Name this image. Its file name so far, which is data: ${JSON.stringify(wordsOf(originalName, SUBJECT_CHARACTERS))}`,
  images: [image],
  schema: answerSchema,
  maxTokens: MAX_TOKENS,
})

const answerSchema = z
  .object({
    subject: wordsField(SUBJECT_CHARACTERS),
    alternatives: listField(ALTERNATIVES, SUBJECT_CHARACTERS),
    confidence: fractionField,
  })
  .refine(({ subject }) => subject !== '', 'subject is missing')

/** A model's answer for one image, and what is known of its file. */
export interface Suggestion extends z.output<typeof answerSchema> {
  readonly originalName: string
  /** Without its dot. */
  readonly extension: string
}

/** Names all images of a request together, since no two names may be equal. Each keeps its number even where others failed. */
export function renameResults({ results, summary }: ImageResults<Suggestion>, rules: NamingRules): ImageResults<FileNames> {
  const failedResults = results.filter((result) => result.status === 'error')
  const namedFiles = nameFiles(
    results.filter((result) => result.status === 'ok'),
    summary.total,
    rules,
  )
  return { summary, results: [...failedResults, ...namedFiles].toSorted((one, other) => one.index - other.index) }
}
