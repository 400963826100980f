import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { failSpan, type Span, startRequestSpan, within } from '@pixelmill/engine/tracing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/visitor.ts'
import type { Config } from '../config.ts'
import type { Allowance } from '../contract/allowance.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { OwnRequest } from '../contract/own-request.ts'
import type { CallRefused } from '../metering/admission-result.ts'
import type { AiSpent, UsageEvent } from '../metering/usage-log.ts'
import type { Services } from '../services.ts'
import type { AiNote, Route } from './route.ts'

// The state of a request while it runs, and what is recorded about it.

declare module 'fastify' {
  interface FastifyInstance {
    /** The page for a browser at a path that does not exist. */
    notFoundPage: NotFoundPage | undefined
  }
  interface FastifyContextConfig {
    /** The body of the route's errors, if it is not the usual one. */
    readonly faults?: Route['faults']
    /** WWW-Authenticate of its 401. */
    readonly challenge?: string
    /** Its answer is for reading in a browser. */
    readonly isPage?: boolean
    /** Further headers of its errors, for an account. */
    readonly faultHeaders?: (account: string) => Promise<Readonly<Record<string, string>>>
  }
  interface FastifyRequest {
    /** Null where a client sent it. */
    sender: Sender | null
    visitor: Visitor | null
    /** Why metering refused it. */
    refusal: CallRefused | null
    /** Bytes of the uploaded files, once they have arrived. */
    inputBytes: number | null
    /** Aborted when the client has disconnected before its answer was sent. */
    gone: AbortController
    /** Aborted when the answer has been sent, or the client has disconnected. */
    over: AbortController
    /** The error that was answered, for the log. */
    failure: ErrorName | null
    /** What it has used of a model. */
    ai: AiNote | null
    /** Null where it is not traced. */
    span: Span | null
  }
}

/** A handler of this server that sent a request: there is no connection. */
export interface Sender extends OwnRequest {
  /** Aborted when the client has gone for whom it was sent. */
  readonly signal: AbortSignal
}

/** The sender of the request for which the code runs. */
export const senders = new AsyncLocalStorage<Sender>()

export interface NotFoundPage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const ACCEPTED_ID = /^[A-Za-z0-9_-]{8,64}$/

/** The caller's own id where it is harmless in a header and a log line, else a new one. */
export function requestId(headers: IncomingHttpHeaders = {}): string {
  const givenText = headers['x-request-id']
  return typeof givenText === 'string' && ACCEPTED_ID.test(givenText) ? givenText : `req_${randomUUID().replaceAll('-', '')}`
}

/** One object for all requests: an AbortError with its stack for each would take 2 % of the API's time. */
const OVER = new Error('the request is over')

/**
 * Notices a client that disconnects. Fastify's own request.signal aborts as soon as the body has been read (5.12.8), so the
 * answer's socket is watched instead.
 */
export function watchClient(request: FastifyRequest, reply: FastifyReply): void {
  const { raw: answer } = reply
  request.gone = new AbortController()
  request.over = new AbortController()
  request.sender = senders.getStore() ?? null
  answer.once('close', () => {
    if (!isSent(request, reply)) request.gone.abort(new Error('the client has gone'))
    request.over.abort(OVER)
  })
  request.sender?.signal.addEventListener('abort', () => answer.destroy(), { once: true })
}

/** Of an answer to a handler there is no connection to which Node could have written all of it. */
const isSent = ({ sender }: FastifyRequest, { raw: answer }: FastifyReply): boolean =>
  answer.writableFinished || (sender !== null && answer.writableEnded)

/** Calls `end` once, when the answer has been sent or the client has disconnected; at once where that has happened. */
export function atEnd({ over: { signal } }: FastifyRequest, end: () => void): void {
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
}

/** What its caller may still do; empty where that is not metered. */
export const allowanceOf = ({ visitor, refusal, ai }: FastifyRequest): Allowance => ({
  ...(visitor?.metered?.allowance() ?? visitor?.allowance ?? refusal?.allowance),
  ...(ai?.quota && { images: ai.quota }),
})

/** Gives the reserved call back, so that a failed request costs nothing. */
export async function giveBack({ visitor, log }: FastifyRequest): Promise<void> {
  const meteredCall = visitor?.metered
  // The caller gets its answer all the same; the call is given back when the database is available again.
  await meteredCall
    ?.giveBack()
    .catch((error: unknown) => log.error({ err: error, reservation: meteredCall.reservation }, 'a call could not be given back'))
}

/** Closes the connection if an unread body has not arrived so long after the answer: Node's own limit is that of a large upload. */
export function closeIfLate({ raw }: FastifyRequest, seconds: number): void {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => raw.complete || raw.destroy(), seconds * 1000).unref()
  raw.once('close', () => clearTimeout(timer))
}

/** Probes, which are asked every few seconds. */
const UNTRACED: readonly (string | undefined)[] = ['/healthz', '/readyz', '/metrics']

/** Adds a span to each request, from its head to the last byte of its answer, in the caller's trace where it has one. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, callback) => {
    request.span = startSpan(request) ?? null
    if (request.span) within(request.span, callback)
    else callback()
  })
  app.addHook('onResponse', async ({ span, failure, inputBytes }, { statusCode }) => {
    if (!span) return
    span.setAttributes({ 'http.response.status_code': statusCode, 'pixelmill.input_bytes': inputBytes ?? undefined })
    // By OpenTelemetry's conventions a caller's mistake is no error of the server.
    if (failure && statusCode < 500) span.setAttributes({ 'error.type': failure })
    else if (statusCode >= 500) failSpan(span, failure ?? String(statusCode))
    span.end()
  })
}

function startSpan({ id, method, routeOptions, headers }: FastifyRequest): Span | undefined {
  const { url: route } = routeOptions
  if (UNTRACED.includes(route)) return undefined
  const { traceparent } = headers
  return startRequestSpan(
    route === undefined ? method : `${method} ${route}`,
    { 'http.request.method': method, 'http.route': route, 'pixelmill.request_id': id },
    typeof traceparent === 'string' ? traceparent : undefined,
  )
}

/** Records a completed request in its account's statistics. */
export function recordUsage(request: FastifyRequest, reply: FastifyReply, services: Services): void {
  // An answer that was cut off was refunded, and does not count as a call.
  if (!isSent(request, reply)) return
  const { metered, ai } = request.visitor ?? {}
  if (ai || reply.statusCode >= 300 || metered?.isCharged()) record(request, reply, reply.statusCode, services)
}

/** The status in the statistics of an answer whose client had disconnected; nginx has made the number common. */
const CLIENT_CLOSED_REQUEST = 499

/** Keeps what an AI request has spent until its answer has been sent. Where the client disconnects, it is recorded at once. */
export function noteAi(request: FastifyRequest, reply: FastifyReply, note: AiNote, services: Services): void {
  request.ai = note
  const { signal } = request.gone
  const recordNow = () => record(request, reply, CLIENT_CLOSED_REQUEST, services)
  if (signal.aborted) recordNow()
  else signal.addEventListener('abort', recordNow, { once: true })
}

function record(request: FastifyRequest, reply: FastifyReply, status: number, { usage, config }: Services): void {
  const caller = callerOf(request)
  if (!caller) return
  const { visitor, ai } = request
  usage.record({
    accountId: caller.accountId,
    keyId: caller.keyId,
    endpoint: request.routeOptions.url ?? '',
    status,
    statusMessage: request.failure,
    inputBytes: request.inputBytes ?? 0,
    outputBytes: status < 300 ? Number(reply.getHeader('content-length') ?? 0) : 0,
    durationMs: Math.round(reply.elapsedTime),
    ...(visitor?.ai && { ai: ai && spentOf(ai, config) }),
  })
}

/** Refusals that no burst limit bounds are not recorded: a caller could fill the table with them. */
const unrecordedTexts: readonly string[] = [
  'invalid_or_revoked_api_key',
  'forbidden',
  'api_access_not_available',
  'ai_access_denied',
  'rate_limited',
]

/** The account and key of a request that passed the burst limit. */
function callerOf({ visitor, refusal }: FastifyRequest): Pick<UsageEvent, 'accountId' | 'keyId'> | undefined {
  if (visitor?.metered) return visitor.metered.reservation
  if (visitor?.ai) return visitor.ai
  if (!refusal || unrecordedTexts.includes(refusal.code)) return undefined
  const { accountId, keyId } = refusal
  return accountId !== null ? { accountId, keyId } : undefined
}

function spentOf({ quota, ...use }: AiNote, { AI_PRICE_INPUT: input, AI_PRICE_OUTPUT: output }: Config): AiSpent {
  const isOurs = use.provider === 'platform' && input !== undefined && output !== undefined
  return { ...use, ...(isOurs && { prices: { input, output } }) }
}
