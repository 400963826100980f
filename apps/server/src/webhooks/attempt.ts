import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import type { AttemptResult } from './delivery.ts'
import { type Message, signatureHeaders } from './signing.ts'

export interface Attempt extends Message {
  readonly url: string
  readonly secrets: readonly string[]
  /** Seconds between the delivery's first attempt and this one. */
  readonly sinceFirst: number
}

export interface AttemptSettings {
  readonly outbound: Pick<Outbound, 'guardedFetch'>
  readonly userAgent: string
  readonly deadlineMs: number
}

/** Only the status matters; nothing of the answer's body is read, which may be long, slow or compressed. */
const NO_BYTES = 0

/** The receiver wants no more deliveries of this event. */
const GONE = 410

interface Answer {
  readonly status?: number
  readonly error?: string
  /** For the log. */
  readonly reason?: string
  readonly askedFor?: number | undefined
}

/** Sends a delivery once. A failure of the network or the receiver is a result, not an error. */
export async function attempt(one: Attempt, settings: AttemptSettings): Promise<AttemptResult & { readonly reason?: string }> {
  const began = performance.now()
  const { askedFor, ...answer } = await post(one, settings)
  const durationMs = Math.round(performance.now() - began)
  const outcome = outcomeOf(answer, secondsToRetry(one.sinceFirst + durationMs / 1000, askedFor))
  return { ...answer, durationMs, outcome }
}

/** The result where a fault of this service prevented the request: the schedule applies as after any other failure. */
export const notSent = ({ sinceFirst }: Pick<Attempt, 'sinceFirst'>): AttemptResult => ({
  durationMs: 0,
  error: 'The request could not be made, by a fault of this service.',
  outcome: outcomeOf({}, secondsToRetry(sinceFirst)),
})

async function post(one: Attempt, { outbound, userAgent, deadlineMs }: AttemptSettings): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signatureHeaders(one, one.secrets) }
  try {
    const response = await outbound.guardedFetch(one.url, {
      method: 'POST',
      headers,
      body: one.body,
      deadlineMs,
      maxBytes: NO_BYTES,
    })
    const { status } = response
    const askedFor = retryAfterSeconds(status, response.header('retry-after'))
    response.discard()
    const error = errorOf(status)
    return { status, askedFor, ...(error !== undefined && { error }) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { error: error.message, reason: error.reason }
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

function errorOf(status: number): string | undefined {
  if (isSuccess(status)) return undefined
  if (status === GONE) return 'The server answered 410: it wants no more of this.'
  if (status >= 300 && status < 400) return `The server answered ${status}; redirects are not followed.`
  return `The server answered ${status}.`
}

function outcomeOf({ status }: Answer, afterSeconds: number | undefined): AttemptResult['outcome'] {
  if (status !== undefined && isSuccess(status)) return { status: 'delivered' }
  if (status === GONE) return { status: 'stopped' }
  return afterSeconds === undefined ? { status: 'failed' } : { status: 'pending', afterSeconds }
}

/**
 * Retries, in seconds after the first attempt: the waits between them are 5 s, 30 s, 2 min, 10 min, 30 min, 1, 2, 4, 7 and 8
 * hours. Counted from the first attempt, so that a manual attempt, or one whose process died, uses up none of them.
 */
export const RETRY_SECONDS = [5, 35, 155, 755, 2_555, 6_155, 13_355, 27_755, 52_955, 81_755] as const

/** No retry comes later after the first attempt, except manual ones. */
const SPAN_SECONDS = 24 * 60 * 60
/** Up to 5 % later, so that deliveries that failed together do not come back together. The last is then after 23.8 hours. */
const JITTER = 0.05

/** Status codes with Retry-After: RFC 6585 §4, RFC 9110 §15.6.4. */
const WITH_RETRY_AFTER = new Set([429, 503])

/**
 * Seconds until the next attempt; undefined when none is left.
 * @param sinceFirst seconds from the first attempt to now
 * @param askedFor seconds that the receiver asked for
 * @param random 0 to 1
 */
export function secondsToRetry(sinceFirst: number, askedFor = 0, random = Math.random()): number | undefined {
  const next = RETRY_SECONDS.find((seconds) => seconds > sinceFirst)
  if (next === undefined) return undefined
  return Math.min(Math.max(next * (1 + JITTER * random), sinceFirst + askedFor), SPAN_SECONDS) - sinceFirst
}

/** Seconds of Retry-After; undefined without one that RFC 9110 §10.2.3 allows. */
export function retryAfterSeconds(status: number, header: string | null, now = Date.now()): number | undefined {
  if (!WITH_RETRY_AFTER.has(status) || header === null) return undefined
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/**
 * Checks that a URL may be used for deliveries. Each connection checks it again.
 * @param field the parameter that it came in
 * @throws ApiError invalid_params, with the same message for private and for unknown hosts
 */
export async function checkReceiver(outbound: Pick<Outbound, 'checkAddress'>, field: string, url: string): Promise<void> {
  await outbound.checkAddress(url).catch((error: unknown) => {
    throw error instanceof OutboundError ? invalidParam(field, 'invalid_value', error.message) : error
  })
}
