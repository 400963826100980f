import { setTimeout as sleep } from 'node:timers/promises'
import { AiError } from './ai-error.ts'
import { type Completion, completionSchema } from './completion.ts'
import { type Dialect, simpler } from './dialect.ts'
import type { ModelServer } from './model-server.ts'
import { post, type Reply } from './post.ts'
import { type Message, type Question, requestBody } from './question.ts'
import { meaning, serverFault } from './server-fault.ts'
import { addUsage, noUsage, type Usage, usageIn } from './usage.ts'

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
