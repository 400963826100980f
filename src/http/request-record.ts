import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { AiSpent, UsageEvent } from '../metering/usage-log.ts'
import type { Services } from '../services.ts'
import { failSpan, type Span, startRequestSpan, within } from '../tracing.ts'
import type { AiNote } from './route.ts'

/** Refusals that come before the burst limit, or are it: a caller who hammers would fill the table with them. */
const unbounded: readonly string[] = [
  'invalid_or_revoked_api_key',
  'api_access_not_available',
  'ai_access_denied',
  'rate_limited',
]

/** What the log shows of an answer that nobody waited for; nginx has made the number common. */
const CLIENT_HAS_GONE = 499

type Caller = Pick<UsageEvent, 'accountId' | 'keyId'>

/** Whose request it was, where it was one that passed the burst limit. */
function callerOf({ visitor, refusal }: FastifyRequest): Caller | undefined {
  if (visitor?.metered) return visitor.metered.reservation
  if (visitor?.ai) return visitor.ai
  if (!refusal || unbounded.includes(refusal.code)) return undefined
  const { accountId, keyId } = refusal
  return accountId !== null ? { accountId, keyId } : undefined
}

/** Notes an answered request for its account's statistics. */
export function recordUsage(request: FastifyRequest, reply: FastifyReply, services: Services): void {
  // An answer that was cut off was given back: it is no call.
  if (!reply.raw.writableFinished) return
  const { metered, ai } = request.visitor ?? {}
  if (ai || reply.statusCode >= 300 || metered?.isCharged()) record(request, reply, reply.statusCode, services)
}

/** Keeps what an AI request has spent until its answer has been sent; it was spent as well where its client goes before. */
export function noteAi(request: FastifyRequest, reply: FastifyReply, note: AiNote, services: Services): void {
  request.ai = note
  const { signal } = request.gone
  const recordNow = () => record(request, reply, CLIENT_HAS_GONE, services)
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

function spentOf({ quota, ...use }: AiNote, { AI_PRICE_INPUT: input, AI_PRICE_OUTPUT: output }: Config): AiSpent {
  const isOurs = use.provider === 'platform' && input !== undefined && output !== undefined
  return { ...use, ...(isOurs && { prices: { input, output } }) }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it is traced. */
    span: Span | null
  }
}

/** Asked every few seconds, to nobody's interest. */
const SILENT: readonly (string | undefined)[] = ['/healthz', '/readyz', '/metrics']

/** A span for each request, from its head to the last byte of its answer; a caller's own trace goes on in it. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = begin(request) ?? null
    if (request.span) within(request.span, done)
    else done()
  })
  app.addHook('onResponse', async ({ span, failure, inputBytes }, { statusCode }) => {
    if (!span) return
    span.setAttributes({ 'http.response.status_code': statusCode, 'pixelmill.input_bytes': inputBytes ?? undefined })
    // What a caller did wrong is no error of the server: so OpenTelemetry's conventions have it.
    if (failure && statusCode < 500) span.setAttributes({ 'error.type': failure })
    else if (statusCode >= 500) failSpan(span, failure ?? String(statusCode))
    span.end()
  })
}

function begin({ id, method, routeOptions, headers }: FastifyRequest): Span | undefined {
  const { url: route } = routeOptions
  if (SILENT.includes(route)) return undefined
  const { traceparent } = headers
  return startRequestSpan(
    route === undefined ? method : `${method} ${route}`,
    { 'http.request.method': method, 'http.route': route, 'pixelmill.request_id': id },
    typeof traceparent === 'string' ? traceparent : undefined,
  )
}
