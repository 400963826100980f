import { OutboundError } from '../../outbound/outbound-error.ts'
import { retryAfter } from '../../outbound/retry-after.ts'
import { AiError } from './ai-error.ts'
import type { ModelServer } from './model-server.ts'

export interface Reply {
  readonly status: number
  /** The parsed body; undefined if it is no JSON. */
  readonly json: unknown
  readonly retryAfterSeconds: number | undefined
}

/** Bytes of an answer: ten times the tokens that are asked for, thoughts told twice. To parse the worst there is takes 80 ms. */
const ANSWER_BYTES = 512 * 1024

/** A name that cannot be looked up counts as an address that is refused: which of them it is would tell of the network. */
const kinds = { refused: 'address', dns: 'address', network: 'network', timeout: 'timeout', too_large: 'bad_output' } as const

/** What a header can carry; a key with anything else was not copied well. */
const HEADER_TEXT = /^[\x21-\x7e]+$/

/**
 * One request, one answer.
 * @throws AiError address, auth, network, timeout, bad_output; the signal's reason once that aborts
 */
export async function post(
  server: ModelServer,
  url: URL,
  body: string,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<Reply> {
  const { apiKey } = server
  if (deadlineMs <= 0) throw new AiError('timeout', 'deadline')
  if (apiKey !== undefined && !HEADER_TEXT.test(apiKey)) throw new AiError('auth', 'the key is no header text')
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  }
  try {
    const response = await server.fetch(url.href, { method: 'POST', headers, body, deadlineMs, signal, maxBytes: ANSWER_BYTES })
    const text = await response.text()
    return { status: response.status, json: jsonOf(text), retryAfterSeconds: retryAfter(response.header('retry-after')) }
  } catch (error) {
    if (error instanceof OutboundError) throw new AiError(kinds[error.kind], error.reason, { cause: error })
    throw error
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An answer that is no JSON is told apart by its status.
    return undefined
  }
}
