import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { AiError } from './ai-error.ts'
import { addUsage, type Completion, completionSchema, noUsage, type Usage, usageIn } from './completion.ts'
import { completionsUrl, type ModelServer } from './model-server.ts'
import { failureOf, post, type Reply, serverFault } from './post.ts'
import { correction, type Dialect, dialects, type Message, opening, type Question, requestBody, simpler } from './question.ts'
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
   * @param onAbandoned called with the tokens spent when the signal aborts
   * @throws AiError with the tokens that were spent; the signal's reason once that aborts
   */
  askVision<Schema extends z.ZodType>(
    server: ModelServer,
    question: Question<Schema>,
    signal: AbortSignal,
    onAbandoned?: (usage: Usage) => void,
  ): Promise<Answer<z.output<Schema>>>
}

/** Remembers which request format each server accepts. */
export function visionClient(): VisionClient {
  const knownDialects = dialects()
  return {
    async askVision(server, question, signal, onAbandoned) {
      const url = completionsUrl(server.baseUrl)
      if (!url) throw new AiError('address', 'the base address is no URL')
      const name = `${url.origin}${url.pathname} ${server.model}`
      const conversation = startConversation(server, url, question, signal, knownDialects.of(name))
      try {
        const answer = await answerOf(conversation, question)
        knownDialects.remember(name, conversation.dialect())
        return { ...answer, usage: conversation.usage() }
      } catch (error) {
        if (signal.aborted) {
          onAbandoned?.(conversation.usage())
          throw signal.reason
        }
        throw error instanceof AiError ? error.withUsage(conversation.usage()) : error
      }
    },
  }
}

/** How refusals begin where a model has no field for them. */
const REFUSAL = /^\W*(i[’']?m |i am )?(very )?(sorry|unable|afraid|not able|i (can[’']?t|cannot|can not|won[’']?t|will not))\b/i

/** Asks, and once more if the answer does not follow the schema: to correct it where there is JSON, else from the start. */
async function answerOf<Schema extends z.ZodType>(conversation: Conversation, question: Question<Schema>) {
  let messages = opening(question)
  let { maxTokens } = question
  for (let tries = 1; ; tries++) {
    const completion = await conversation.complete(messages, maxTokens)
    if (completion.declined) throw new AiError('refused', 'declined')
    const { text, cutOff } = completion
    const read = readValue(text, question.schema)
    // JSON repaired from a truncated answer is incomplete.
    const whole = !cutOff || text.trimEnd().endsWith('}')
    if ('value' in read && whole) return { value: read.value, model: completion.model ?? conversation.model }
    if (!text.includes('{') && REFUSAL.test(text)) throw new AiError('refused', 'declined in words')
    if (tries > 1) throw new AiError('bad_output', cutOff ? 'cut off' : 'not of the schema')
    if (cutOff) maxTokens *= 2
    else if ('problems' in read && text.includes('{')) messages = correction(question, text, read.problems)
  }
}

/** Milliseconds before the one retry, and the longest wait that a server may ask for. */
const RETRY_MS = 300
const LONGEST_RETRY_S = 5
const isTransient = (error: unknown): boolean =>
  error instanceof AiError && (error.kind === 'network' || error.kind === 'rate_limited')

/** All requests of one question, with their tokens, the format that the server accepts and the time that is left. */
export interface Conversation {
  readonly model: string
  complete(messages: readonly Message[], maxTokens: number): Promise<Completion>
  usage(): Usage
  dialect(): Dialect
}

function startConversation(
  server: ModelServer,
  url: URL,
  { schema, deadlineMs }: Question,
  signal: AbortSignal,
  first: Dialect,
): Conversation {
  const until = performance.now() + deadlineMs
  let usage = noUsage
  let dialect = first
  let isRetry = false

  async function complete(messages: readonly Message[], maxTokens: number): Promise<Completion> {
    const body = requestBody(server.model, messages, { schema, maxTokens }, dialect)
    const reply = await post(server, url, body, { deadlineMs: until - performance.now(), signal }).catch(retryOnce)
    if (!reply) return complete(messages, maxTokens)
    usage = addUsage(usage, usageIn(reply.json))
    const completion = completionSchema.safeParse(reply.json)
    if (completion.success && reply.status < 300) return completion.data
    await prepareRetry(reply)
    return complete(messages, maxTokens)
  }

  /** Returns when the request can be sent again. */
  async function prepareRetry(reply: Reply): Promise<void> {
    const { status, retryAfterSeconds } = reply
    const fault = serverFault(reply)
    if (!fault) return retryOnce(new AiError('bad_output', 'no chat completion', { status }), true)
    const kind = failureOf(fault)
    const error = new AiError(kind, `status ${fault.status}`, { status, retryAfterSeconds })
    const next = kind === 'rejected' ? simpler(dialect, fault.words) : undefined
    if (next) dialect = next
    else await retryOnce(error)
  }

  /** Waits after the first transient failure, if the deadline allows it. */
  async function retryOnce(error: unknown, transient = isTransient(error)): Promise<undefined> {
    if (!transient || isRetry || !(error instanceof AiError)) throw error
    isRetry = true
    const waitMs = error.retryAfterSeconds === undefined ? RETRY_MS : error.retryAfterSeconds * 1_000
    if (waitMs > LONGEST_RETRY_S * 1_000 || performance.now() + waitMs > until) throw error
    await sleep(waitMs, undefined, { signal })
  }

  return { model: server.model, complete, usage: () => usage, dialect: () => dialect }
}
