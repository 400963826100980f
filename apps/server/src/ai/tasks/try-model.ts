import { component } from '@pixelmill/codecs/contract/component'
import { z } from 'zod'
import { isRefusal } from '../../contract/api-error.ts'
import { ownServer } from '../access.ts'
import type { Ai } from '../ai.ts'
import { askModel } from '../ask-model.ts'
import { AiError } from '../client/ai-error.ts'
import type { UserProvider } from '../provider.ts'
import { trialFault, trialFaults } from '../provider-errors.ts'
import { startTally } from '../tally.ts'
import { GUARD, wordsField } from './answer-fields.ts'

const count = z.int().min(0)

/** Result of a trial. */
export const modelTrial = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    model: z.string().describe('The name that the model server uses.'),
    ms: count.describe('Milliseconds until the answer.'),
    saw: z.string().describe("The model's description of the picture, a red square on white."),
    usage: z
      .object({ inputTokens: count, outputTokens: count, totalTokens: count })
      .meta(component('TokenUsage'))
      .describe('0 if the server reports none.'),
  }),
  z.object({
    ok: z.literal(false),
    error: z
      .enum(trialFaults)
      .describe('The `kind` of `ai_provider_error`, or a failure that has its own error identifier on the AI endpoints.'),
    message: z.string().describe('A sentence for users.'),
    ms: count.describe('Milliseconds until the failure.'),
  }),
])

export type ModelTrial = z.output<typeof modelTrial>

interface Trial {
  readonly account: string
  readonly provider: UserProvider
  readonly signal: AbortSignal
  readonly onFault: (error: unknown, what: string) => void
}

/**
 * Asks the model of an account one tiny question. A failure of its server is a result, not an error.
 * @throws ApiError no_saved_ai_key, ai_key_encryption_disabled, invalid_params at baseUrl; the signal's reason once that aborts
 */
export async function tryModel(ai: Ai, { account, provider, signal, onFault }: Trial): Promise<ModelTrial> {
  const server = await ownServer(ai.access, account, provider, ['baseUrl'], onFault)
  const tally = startTally(server)
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  try {
    const asking = { server, provider: 'byok', account, tally, onFault } as const
    const { saw } = await askModel(ai, asking, trialQuestion, signal)
    return { ok: true, model: tally.model(), ms: ms(), saw, usage: tally.usage() }
  } catch (error) {
    if (!(isRefusal(error) && error.cause instanceof AiError)) throw error
    return { ok: false, error: trialFault(error.cause), message: error.cause.message, ms: ms() }
  }
}

/**
 * A red square on white, 64 × 64: the encoders of Qwen's models take no side below 28 or 32 pixels. A JPEG, as all that models get
 * from us; Pixelmill made it from an SVG.
 */
const PICTURE =
  'data:image/jpeg;base64,/9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCABAAEADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAgH/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAAAAAAAAAAAAAAAAAFB//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AN/AAAAAAAAABLQCG1MABUoC4ywABLQCG1MABUoC4ywAAAAAAAB//9k='

/** Enough for the reasoning of a model, as in real questions. */
const MAX_TOKENS = 1_500
const WORDS_CHARACTERS = 80

/** A tiny question that only a model with vision can answer. */
const trialQuestion = {
  system: `You name what is in an image. ${GUARD}
- saw: shape and colour of what is in the image, in at most five English words.`,
  user: 'Name shape and colour.',
  images: [PICTURE],
  schema: z.object({ saw: wordsField(WORDS_CHARACTERS) }).refine(({ saw }) => saw !== '', 'saw is missing'),
  maxTokens: MAX_TOKENS,
}
