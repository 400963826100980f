import type { z } from 'zod'
import { AiError } from './ai-error.ts'
import { dialects } from './dialect.ts'
import { completionsUrl, type ModelServer } from './model-server.ts'
import { mending, opening, type Question } from './question.ts'
import { readValue } from './read-value.ts'
import { startTalk, type Talk } from './talk.ts'
import type { Usage } from './usage.ts'

export interface Answer<Value> {
  readonly value: Value
  readonly usage: Usage
  /** As the server calls it. */
  readonly model: string
}

export interface VisionClient {
  /**
   * Asks a model about images and returns what the schema makes of the answer.
   * @param onAbandoned is told of the tokens that were spent where the signal aborts
   * @throws AiError with the tokens that were spent; the signal's reason once that aborts
   */
  askVision<Schema extends z.ZodType>(
    server: ModelServer,
    question: Question<Schema>,
    signal: AbortSignal,
    onAbandoned?: (usage: Usage) => void,
  ): Promise<Answer<z.output<Schema>>>
}

/** Remembers, for as long as it lives, which form each server takes. */
export function visionClient(): VisionClient {
  const known = dialects()
  return {
    async askVision(server, question, signal, onAbandoned) {
      const url = completionsUrl(server.baseUrl)
      if (!url) throw new AiError('address', 'the base address is no URL')
      const name = `${url.origin}${url.pathname} ${server.model}`
      const talk = startTalk(server, url, question, signal, known.of(name))
      try {
        const answer = await answerOf(talk, question)
        known.remember(name, talk.dialect())
        return { ...answer, usage: talk.usage() }
      } catch (error) {
        if (signal.aborted) {
          onAbandoned?.(talk.usage())
          throw signal.reason
        }
        throw error instanceof AiError ? error.having(talk.usage()) : error
      }
    },
  }
}

/** As models begin that have no field for it. */
const REFUSAL = /^\W*(i[’']?m |i am )?(very )?(sorry|unable|afraid|not able|i (can[’']?t|cannot|can not|won[’']?t|will not))\b/i

/** Asks, and once more if the answer has no form: to mend it where there is something to mend, else from the start. */
async function answerOf<Schema extends z.ZodType>(talk: Talk, question: Question<Schema>) {
  let messages = opening(question)
  let { maxTokens } = question
  for (let tries = 1; ; tries++) {
    const completion = await talk.complete(messages, maxTokens)
    if (completion.declined) throw new AiError('refused', 'declined')
    const { text, cutOff } = completion
    const read = readValue(text, question.schema)
    // What is mended of half an answer is half an answer.
    const whole = !cutOff || text.trimEnd().endsWith('}')
    if ('value' in read && whole) return { value: read.value, model: completion.model ?? talk.model }
    if (!text.includes('{') && REFUSAL.test(text)) throw new AiError('refused', 'declined in words')
    if (tries > 1) throw new AiError('bad_output', cutOff ? 'cut off' : 'not of the schema')
    if (cutOff) maxTokens *= 2
    else if ('problems' in read && text.includes('{')) messages = mending(question, text, read.problems)
  }
}
