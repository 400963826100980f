import { z } from 'zod'
import { OutboundError } from '../../outbound/outbound-error.ts'
import { retryAfter } from '../../outbound/retry-after.ts'
import { AiError, type AiFailure } from './ai-error.ts'
import type { ModelServer } from './model-server.ts'

export interface Reply {
  readonly status: number
  /** The parsed body; undefined if it is no JSON. */
  readonly json: unknown
  readonly retryAfterSeconds: number | undefined
}

/** Bytes of an answer: ten times the tokens requested, with the reasoning sent twice. Parsing the worst case takes 80 ms. */
const ANSWER_BYTES = 512 * 1024

/** An unknown name is reported like a refused address: the difference would reveal the network. */
const kinds = { refused: 'address', dns: 'address', network: 'network', timeout: 'timeout', too_large: 'bad_output' } as const

/** Characters of a header value; a key with others was copied wrongly. */
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
    // The status classifies an answer that is not JSON.
    return undefined
  }
}

/** An error of a model server. Its text is only classified, never passed on. */
export interface ServerFault {
  readonly status: number
  /** Message, code, type and parameter in one, shortened. */
  readonly words: string
}

const MOST_WORDS = 500
const text = z.union([z.string(), z.number()]).transform(String).nullish().catch(undefined)
const fault = z.object({ message: text, detail: text, code: text, type: text, param: text })
const body = z.object({ error: z.union([z.string().transform((message) => ({ message })), fault]) })

/** The error in a reply; undefined if there is none. Some servers send one with status 200. */
export function serverFault({ status, json }: Reply): ServerFault | undefined {
  const reportedFault = body.safeParse(json).data?.error ?? (status >= 400 ? fault.safeParse(json).data : undefined)
  if (status < 300 && !reportedFault) return undefined
  const words = Object.values(reportedFault ?? {})
    .join(' ')
    .slice(0, MOST_WORDS)
  const code = Number((reportedFault && 'code' in reportedFault && reportedFault.code) || Number.NaN)
  if (status >= 300) return { status, words }
  return { status: code >= 400 && code < 600 ? code : 502, words }
}

type Rule = readonly [kind: AiFailure, statuses: readonly number[], words?: RegExp]

/** The first rule that fits applies. llama.cpp answers 500 to an image that it cannot process, OpenRouter 404; Gemini answers 400 to a wrong key. */
const rules: readonly Rule[] = [
  ['refused', [400, 403, 422], /content.?(filter|policy|management)|responsible.?ai|safety/i],
  [
    'no_vision',
    [400, 404, 415, 422, 500, 501],
    /(support|accept).{0,80}(image|vision|multimodal)|(image|vision|multimodal).{0,80}(support|accept)|content (part )?type|mmproj/i,
  ],
  ['auth', [400], /api[ _-]?key/i],
  ['model_not_found', [400, 422], /model.{0,100}(not.found|does not exist|not exist)/i],
  ['auth', [401, 403]],
  ['quota', [402]],
  ['model_not_found', [404]],
  ['timeout', [408, 504, 524]],
  ['quota', [429], /insufficient|quota|billing|credit/i],
  ['rate_limited', [429]],
  ['rejected', [400, 413, 415, 422]],
]

/** Classifies a server's error. Unknown statuses from 500 on are failures of the server; others are of something that is no model server. */
export function failureOf({ status, words }: ServerFault): AiFailure {
  const aboutForm = /response_format/.test(words)
  const fits = ([kind, statuses, pattern]: Rule) =>
    statuses.includes(status) && (pattern === undefined || (pattern.test(words) && !(aboutForm && kind === 'no_vision')))
  return rules.find(fits)?.[0] ?? (status >= 500 ? 'network' : 'bad_output')
}
