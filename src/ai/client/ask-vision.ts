import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { AiError } from './ai-error.ts'
import { addUsage, type Completion, completionSchema, noUsage, type Usage, usageIn } from './completion.ts'
import { completionsUrl, type ModelServer } from './model-server.ts'
import { meaning, post, type Reply, serverFault } from './post.ts'
import { type Dialect, dialects, type Message, mending, opening, type Question, requestBody, simpler } from './question.ts'
import { readValue } from './read-answer.ts'

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

/** Milliseconds before the one second try, and the longest wait that a server may ask for before it. */
const RETRY_MS = 300
const LONGEST_RETRY_S = 5
const isPassing = (error: unknown): boolean =>
  error instanceof AiError && (error.kind === 'network' || error.kind === 'rate_limited')

/** All requests of one question: what they spent, what the server was found to take, what time is left. */
export interface Talk {
  readonly model: string
  complete(messages: readonly Message[], maxTokens: number): Promise<Completion>
  usage(): Usage
  dialect(): Dialect
}

export function startTalk(
  server: ModelServer,
  url: URL,
  { schema, deadlineMs }: Question,
  signal: AbortSignal,
  first: Dialect,
): Talk {
  const until = performance.now() + deadlineMs
  let [usage, dialect, retried] = [noUsage, first, false]

  async function complete(messages: readonly Message[], maxTokens: number): Promise<Completion> {
    const body = requestBody(server.model, messages, { schema, maxTokens }, dialect)
    const reply = await post(server, url, body, { deadlineMs: until - performance.now(), signal }).catch(onceMore)
    if (!reply) return complete(messages, maxTokens)
    usage = addUsage(usage, usageIn(reply.json))
    const completion = completionSchema.safeParse(reply.json)
    if (completion.success && reply.status < 300) return completion.data
    await makeUpFor(reply)
    return complete(messages, maxTokens)
  }

  /** Returns when it makes sense to ask again. */
  async function makeUpFor(reply: Reply): Promise<void> {
    const { status, retryAfterSeconds } = reply
    const fault = serverFault(reply)
    if (!fault) return onceMore(new AiError('bad_output', 'no chat completion', { status }), true)
    const kind = meaning(fault)
    const error = new AiError(kind, `status ${fault.status}`, { status, retryAfterSeconds })
    const next = kind === 'rejected' ? simpler(dialect, fault.words) : undefined
    if (next) dialect = next
    else await onceMore(error)
  }

  /** The first passing trouble is waited out, if the deadline allows it. */
  async function onceMore(error: unknown, passing = isPassing(error)): Promise<undefined> {
    if (!passing || retried || !(error instanceof AiError)) throw error
    retried = true
    const waitMs = error.retryAfterSeconds === undefined ? RETRY_MS : error.retryAfterSeconds * 1_000
    if (waitMs > LONGEST_RETRY_S * 1_000 || performance.now() + waitMs > until) throw error
    await sleep(waitMs, undefined, { signal })
  }

  return { model: server.model, complete, usage: () => usage, dialect: () => dialect }
}
