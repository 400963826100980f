import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import type { AttemptResult } from './delivery.ts'
import { retryAfterSeconds, secondsToRetry } from './retries.ts'
import { type Message, signatureHeaders } from './sign.ts'

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

/** The status decides; of the answer's body nothing is read, however long, slow or compressed it is. */
const NO_BYTES = 0

/** "Gone": the receiver wants no more of this. */
const GONE = 410

interface Answer {
  readonly status?: number
  readonly error?: string
  /** For the log. */
  readonly reason?: string
  readonly askedFor?: number | undefined
}

/** Sends a delivery once. Whatever goes wrong on the way, or at the receiver, is a result. */
export async function attempt(one: Attempt, settings: AttemptSettings): Promise<AttemptResult & { readonly reason?: string }> {
  const began = performance.now()
  const { askedFor, ...answer } = await post(one, settings)
  const durationMs = Math.round(performance.now() - began)
  const outcome = outcomeOf(answer, secondsToRetry(one.sinceFirst + durationMs / 1000, askedFor))
  return { ...answer, durationMs, outcome }
}

/** An attempt that a fault of ours kept from being sent: it may last, so the next comes by the schedule as after any other. */
export const notSent = ({ sinceFirst }: Pick<Attempt, 'sinceFirst'>): AttemptResult => ({
  durationMs: 0,
  error: 'The request could not be made, by a fault of this service.',
  outcome: outcomeOf({}, secondsToRetry(sinceFirst)),
})

async function post(one: Attempt, { outbound, userAgent, deadlineMs }: AttemptSettings): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signatureHeaders(one, one.secrets) }
  try {
    const response = await outbound.guardedFetch(one.url, {
      ...{ method: 'POST', headers, body: one.body, deadlineMs },
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

const taken = (status: number): boolean => status >= 200 && status < 300

function errorOf(status: number): string | undefined {
  if (taken(status)) return undefined
  if (status === GONE) return 'The server answered 410: it wants no more of this.'
  if (status >= 300 && status < 400) return `The server answered ${status}; redirects are not followed.`
  return `The server answered ${status}.`
}

function outcomeOf({ status }: Answer, afterSeconds: number | undefined): AttemptResult['outcome'] {
  if (status !== undefined && taken(status)) return { status: 'delivered' }
  if (status === GONE) return { status: 'stopped' }
  return afterSeconds === undefined ? { status: 'failed' } : { status: 'pending', afterSeconds }
}
