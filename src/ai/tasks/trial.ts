import { z } from 'zod'
import { wordsField } from './answer-fields.ts'
import { GUARD } from './guard.ts'

/**
 * A red square on white, 64 × 64: the encoders of Qwen's models take no side below 28 or 32 pixels. A JPEG, as all that models get
 * from us; Pixelmill made it from an SVG.
 */
const PICTURE =
  'data:image/jpeg;base64,/9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCABAAEADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAgH/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAAAAAAAAAAAAAAAAAFB//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AN/AAAAAAAAABLQCG1MABUoC4ywABLQCG1MABUoC4ywAAAAAAAB//9k='

/** Room for the thoughts of a model that thinks: as much as real questions leave it. */
const MAX_TOKENS = 1_500
const WORDS_CHARACTERS = 80

/** One tiny question that only a model that sees can answer. */
export const trialQuestion = {
  system: `You name what is in an image. ${GUARD}
- saw: shape and colour of what is in the image, in at most five English words.`,
  user: 'Name shape and colour.',
  images: [PICTURE],
  schema: z.object({ saw: wordsField(WORDS_CHARACTERS) }).refine(({ saw }) => saw !== '', 'saw is missing'),
  maxTokens: MAX_TOKENS,
}
