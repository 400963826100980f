import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { refuseNulInAddress } from '@pixelmill/codecs/contract/nul'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import { type HalfClose, halfClosing, type IdleConnections, idleConnections, lastConnections } from './connections.ts'
import { corsHeaders, preflightHeaders, varyByOrigin } from './cors.ts'
import { refuse } from './error-reply.ts'
import { LONGEST_UPLOAD_S } from './read-body.ts'
import { headersOfAll } from './reply.ts'
import {
  atEnd,
  closeIfLate,
  giveBack,
  type NotFoundPage,
  recordUsage,
  requestId,
  traceRequests,
  watchClient,
} from './request-state.ts'
import type { Route } from './route.ts'
import { bodyStrategy, servedPaths } from './router.ts'
import { serveRoute } from './serve-route.ts'
import { notServed, unroutedRefusals } from './unrouted.ts'

interface Additions {
  readonly notFoundPage?: NotFoundPage | undefined
  /** Answers some requests before the framework sees them. */
  readonly answerFirst?: (server: Server, idle: IdleConnections, closing: AbortSignal) => void
}

/** Serves routes over HTTP. Only this folder knows the HTTP framework. */
export function createApp(
  routes: readonly Route[],
  services: Services,
  log: Log,
  { notFoundPage, answerFirst }: Additions = {},
): FastifyInstance {
  const closing = new AbortController()
  const { signal: stopping } = services.stop
  const { CORS_ORIGINS, IDLE_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXIES, UPLOAD_TIMEOUT_S } = services.config
  const idle = idleConnections(IDLE_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXIES, (error) =>
    log.error({ err: error }, 'an idle connection could not be closed'),
  )
  const halfClose = halfClosing(services.config, closing.signal)
  const app = openFramework(services, log, halfClose)
  const pathAt = servedPaths(routes)
  app.decorate('notFoundPage', notFoundPage)
  traceRequests(app)
  /** Refunds of calls whose clients have disconnected; the database is closed after them. */
  const leaving = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(leaving)))
  function useConnection(request: IncomingMessage, answer: ServerResponse): void {
    const { socket } = request
    halfClose.afterAnswer(request)
    idle.end(socket)
    answer.once('close', () => idle.begin(socket))
  }
  app.addHook('onRequest', async (request, reply) => {
    watchClient(request, reply)
    if (!request.sender) useConnection(request.raw, reply.raw)
    atEnd(request, services.metrics.onRequest())
    request.gone.signal.addEventListener('abort', () => {
      const refund = giveBack(request).finally(() => leaving.delete(refund))
      leaving.add(refund)
    })
    reply.headers(headersOfAll(request.id))
    if (!hasOneHost(request.raw) || !isExpectationKnown(request.raw)) throw new ApiError('bad_request')
    refuseNulInAddress(request.raw.url ?? '')
    const preflight = preflightHeaders(request, CORS_ORIGINS)
    if (preflight) return reply.code(204).headers(preflight).send()
    // In a hook, since for unknown methods the framework would answer without our body.
    const servedPath = pathAt(request.url)
    if (request.is404 || (servedPath && servedPath.path !== request.routeOptions.url)) throw notServed(reply, servedPath)
  })
  app.addHook('preClose', async () => {
    closing.abort()
    await beforeEnd()
  })
  app.addHook('onSend', async (request, reply) => {
    if (CORS_ORIGINS.length > 0) {
      reply.headers(corsHeaders(request, CORS_ORIGINS) ?? {})
      varyByOrigin(reply)
    }
    // A connection kept open after its answer would delay the stop.
    if (stopping.aborted) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, visitor, failure } = request
    closeIfLate(request, UPLOAD_TIMEOUT_S)
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    services.metrics.onResponse({ route, status, seconds: reply.elapsedTime / 1000, error: failure })
    const account = visitor?.account ?? request.refusal?.accountId ?? undefined
    recordUsage(request, reply, services)
    request.log.info({ method, route, status, ms: Math.round(reply.elapsedTime), ...(failure && { error: failure }), account })
  })
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  for (const route of routes) serveRoute(app, route, services, closing.signal)
  app.server.on('connection', (socket) => idle.addConnection(socket))
  answerFirst?.(app.server, idle, closing.signal)
  // Last, so that it sees what is answered first too.
  const beforeEnd = lastConnections(app.server)
  return app
}

/**
 * RFC 9112 §3.2: an HTTP/1.1 request without Host, or with several, is malformed. Node's own check would answer without our body,
 * and accepts several.
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  // Names and values in turn.
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

const isExpectationKnown = ({ headers: { expect } }: IncomingMessage): boolean =>
  expect === undefined || expect.toLowerCase() === '100-continue'

/** RFC 9112, §3.2.2: a server accepts a whole URL as the target too, as a client sends it to a proxy. */
export function originForm(target: string): string {
  const [place = ''] = /^https?:\/\/[^/?#]*/i.exec(target) ?? []
  const rest = target.slice(place.length)
  return rest.startsWith('/') || place === '' ? rest : `/${rest}`
}

/** Node closes a connection whose request has not arrived by then. The body readers time out earlier, with a better error. */
const REQUEST_TIMEOUT_MARGIN_MS = 10_000

/** The maximum length of a request's head: a malformed id of any length gives not_found. */
const LONGEST_PARAMETER = 16 * 1024

/** Routes parse and write by the contract. The framework's own compilers would be loaded: 100 files, 30 ms of each start and 5 MB. */
const noSchemas = (): never => {
  throw new Error('a route was given a JSON Schema, which nothing compiles')
}

function openFramework({ config, metrics, stop }: Services, log: Log, halfClose: HalfClose): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const { unreadable, tunnel, refuseUnaddressed } = unroutedRefusals(metrics, log, halfClose, stop.signal)
  const app: FastifyInstance = Fastify({
    loggerInstance,
    http: { requireHostHeader: false },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES,
    rewriteUrl: ({ url = '/' }) => originForm(url),
    genReqId: (request) => requestId(request.headers),
    routerOptions: { maxParamLength: LONGEST_PARAMETER, constraints: { body: bodyStrategy } },
    requestTimeout: Math.max(config.UPLOAD_TIMEOUT_S, LONGEST_UPLOAD_S) * 1000 + REQUEST_TIMEOUT_MARGIN_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: unreadable,
    frameworkErrors: (error, request, reply) => void refuseUnaddressed(error, request, reply),
  })
  // The routes read bodies themselves, after admission.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, callback) => callback(null))
  // Without a listener Node would answer "100 Continue" before admission.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.routing(request, response))
  }
  app.server.on('connect', tunnel)
  for (const state of ['sender', 'visitor', 'refusal', 'inputBytes', 'failure', 'ai'] as const) app.decorateRequest(state, null)
  return app
}
