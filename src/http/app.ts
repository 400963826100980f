import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import { type HalfClose, halfClosing, idleConnections } from './connections.ts'
import { refuse } from './error-reply.ts'
import { headersOfAll } from './reply.ts'
import { LONGEST_UPLOAD_S } from './request-body.ts'
import { recordUsage, traceRequests, atEnd, closeIfLate, giveBack, type NotFoundPage, requestId, watchClient } from './request-state.ts'
import type { Route } from './route.ts'
import { serveRoute } from './serve-route.ts'
import { notServed, unroutedRefusals } from './unrouted.ts'

/** Node closes a connection whose request has not arrived by then; the readers of bodies give up earlier, with a better answer. */
const REQUEST_TIMEOUT_MARGIN_MS = 10_000

/** Puts routes on the wire. This folder is the only place that knows which HTTP framework we use. */
export function createApp(routes: readonly Route[], services: Services, log: Log, notFoundPage?: NotFoundPage): FastifyInstance {
  const closing = new AbortController()
  const { IDLE_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXIES } = services.config
  const idle = idleConnections(IDLE_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXIES)
  const halfClose = halfClosing(services.config, closing.signal)
  const app = openFramework(services, log, halfClose)
  app.decorate('notFoundPage', notFoundPage)
  traceRequests(app)
  /** Calls of clients that have left, on their way back: the database is not closed before. */
  const leaving = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(leaving)))
  app.addHook('onRequest', async (request, reply) => {
    watchClient(request, reply)
    halfClose.afterAnswer(request.raw)
    const { socket } = request.raw
    idle.end(socket)
    reply.raw.once('close', () => idle.begin(socket))
    atEnd(request, services.metrics.onRequest())
    request.gone.signal.addEventListener('abort', () => {
      const given = giveBack(request).finally(() => leaving.delete(given))
      leaving.add(given)
    })
    reply.headers(headersOfAll(request.id))
    if (!hasOneHost(request.raw)) throw new ApiError('bad_request')
    if (request.headers.expect !== undefined && request.headers.expect.toLowerCase() !== '100-continue')
      throw new ApiError('bad_request')
    // Here and not in a handler: of methods that it does not know the framework would say something of its own first.
    if (request.is404 || isHidden(request, routes)) throw notServed(request, reply, routes)
  })
  // A connection kept open after its answer would hold up the end.
  app.addHook('preClose', async () => closing.abort())
  app.addHook('onSend', async (_request, reply) => {
    if (closing.signal.aborted) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, visitor, failure } = request
    closeIfLate(request, services.config.UPLOAD_TIMEOUT_S)
    const [route, status] = [request.routeOptions.url ?? 'unknown', reply.statusCode]
    services.metrics.onResponse({ method, route, status, seconds: reply.elapsedTime / 1000, error: failure })
    const account = visitor?.account ?? request.refusal?.accountId ?? undefined
    recordUsage(request, reply, services)
    request.log.info({ method, route, status, ms: Math.round(reply.elapsedTime), ...(failure && { error: failure }), account })
  })
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  for (const route of routes) serveRoute(app, route, services, closing.signal)
  app.server.on('connection', (socket) => idle.begin(socket))
  return app
}

/**
 * RFC 9112 §3.2: a request of HTTP/1.1 without Host, and any with more than one, is malformed. Node's own check would answer
 * without our body, and lets several pass.
 */
function hasOneHost({ headersDistinct: { host = [] }, httpVersion }: IncomingMessage): boolean {
  return host.length === 1 || (host.length === 0 && httpVersion !== '1.1')
}

/** Whether the router took the path for a parameter's, with a method that the path itself does not have. */
function isHidden({ url, routeOptions, method }: FastifyRequest, routes: readonly Route[]): boolean {
  const [path = ''] = url.split('?')
  if (routeOptions.url === path) return false
  const asked = method === 'HEAD' ? 'GET' : method
  return routes.some((route) => route.path === path) && !routes.some((route) => route.path === path && route.method === asked)
}

function openFramework(services: Services, log: Log, halfClose: HalfClose): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const { unreadable, tunnel, unaddressed } = unroutedRefusals(services.metrics, log, halfClose)
  const app: FastifyInstance = Fastify({
    loggerInstance,
    http: { requireHostHeader: false },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: services.config.TRUSTED_PROXIES.length > 0 && services.config.TRUSTED_PROXIES,
    genReqId: (request) => requestId(request.headers),
    // As long as a request's head can be: what is no id is not found, however long it is.
    routerOptions: { maxParamLength: 16 * 1024 },
    requestTimeout: Math.max(services.config.UPLOAD_TIMEOUT_S, LONGEST_UPLOAD_S) * 1000 + REQUEST_TIMEOUT_MARGIN_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: unreadable,
    frameworkErrors: (error, request, reply) => void unaddressed(error, request, reply),
  })
  // Bodies are read by the routes themselves, after admission.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  // Without a listener Node would invite the body ("100 Continue") before admission has been asked.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.routing(request, response))
  }
  app.server.on('connect', tunnel)
  for (const state of ['visitor', 'refusal', 'inputBytes', 'failure', 'ai'] as const) app.decorateRequest(state, null)
  return app
}
