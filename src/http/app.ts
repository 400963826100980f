import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { admit } from '../admission/index.ts'
import { ApiError } from '../contract/api-error.ts'
import { MiB } from '../contract/limits.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import { errorBody, errorHeaders, rawErrorReply, toApiError } from './error-reply.ts'
import { readForm } from './read-form.ts'
import { requestId } from './request-id.ts'
import { takeCharge, watchClient } from './request-state.ts'
import type { Form, Route } from './route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** A refused body up to this size is read past, so that a client that writes before it reads sees the answer. */
const DRAIN_BYTES = 64 * MiB

/** Node closes a connection whose request has not arrived by then; the form reader gives up earlier, with a better answer. */
const REQUEST_TIMEOUT_MARGIN_MS = 10_000

const NO_FORM: Form = { fields: new Map(), files: new Map() }

/** Puts routes on the wire. This folder is the only place that knows which HTTP framework we use. */
export function createApp(routes: readonly Route[], services: Services, log: Log): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  const app: FastifyInstance = Fastify({
    loggerInstance,
    disableRequestLogging: true,
    requestIdLogLabel: 'requestId',
    genReqId: (request) => requestId(request.headers),
    requestTimeout: services.config.UPLOAD_TIMEOUT_S * 1000 + REQUEST_TIMEOUT_MARGIN_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: refuseSocket,
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  })
  // Bodies are read by the routes themselves, after admission.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  // Without a listener Node would invite the body ("100 Continue") before admission has been asked.
  app.server.on('checkContinue', (request, response) => app.routing(request, response))
  app.decorateRequest('visitor', null)
  app.decorateRequest('charge', null)
  app.decorateRequest('failure', null)

  app.addHook('onRequest', async (request, reply) => {
    watchClient(request, reply)
    request.gone.signal.addEventListener('abort', () => void giveBack(request))
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, visitor, failure } = request
    const [route, status, ms] = [request.routeOptions.url ?? 'unknown', reply.statusCode, Math.round(reply.elapsedTime)]
    services.metrics.onResponse({ method, route, status, seconds: reply.elapsedTime / 1000 })
    request.log.info({ method, route, status, ms, ...(failure && { error: failure }), account: visitor?.admitted?.charge.accountId })
  })
  app.setErrorHandler(refuse)
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found')
  })
  for (const route of routes) serve(route)
  for (const path of new Set(routes.map((route) => route.path))) refuseOtherMethods(path)
  return app

  function serve(route: Route): void {
    app.route({
      method: route.method,
      url: route.path,
      async onRequest(request) {
        request.visitor = await admit(route.admission, request.headers.authorization, services)
        request.charge = request.visitor.admitted?.charge ?? null
      },
      async handler(request, reply) {
        const { signal } = request.gone
        if (route.form && request.headers.expect) reply.raw.writeContinue()
        const form = route.form ? await readForm(request.raw, { files: route.form.files, timeoutSeconds: services.config.UPLOAD_TIMEOUT_S }, signal) : NO_FORM
        if (!request.visitor) throw new Error('a route was reached without admission')
        const { status = 200, headers, body } = await route.handle({ form, visitor: request.visitor, services, signal })
        signal.throwIfAborted()
        // From here on the answer is good; only a client that leaves while it is sent gets its call back.
        return reply.code(status).headers(headers).send(body)
      },
    })
  }

  function refuseOtherMethods(path: string): void {
    const allowed = routes.filter((route) => route.path === path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: path,
      handler(_request, reply) {
        reply.header('allow', allowed.join(', '))
        throw new ApiError('method_not_allowed')
      },
    })
  }

  async function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const error = toApiError(thrown)
    request.failure = error.code
    if (error.status >= 500 && error.code !== 'server_busy') request.log.error({ err: error.cause ?? error }, error.code)
    await giveBack(request)
    if (!request.raw.complete && !canDrain(request)) reply.header('connection', 'close')
    reply.raw.statusMessage = error.code
    return reply.code(error.status).headers(errorHeaders(error)).send(JSON.stringify(errorBody(error, request.id)))
  }

  /** A call that brought nothing costs nothing. */
  async function giveBack(request: FastifyRequest): Promise<void> {
    const charge = takeCharge(request)
    if (!charge) return
    await services.calls.giveBack(charge).catch((error: unknown) => request.log.error({ err: error, charge }, 'a call could not be given back'))
  }

  function refuseSocket(failure: Error & { code?: string }, socket: Socket): void {
    if (failure.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const error = new ApiError(failure.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'upload_timeout' : 'bad_request')
    socket.end(rawErrorReply(error, requestId()))
  }
}

/** A client that waits for "100 Continue" sends no body after a refusal; one without a length might send for ever. */
function canDrain({ headers }: FastifyRequest): boolean {
  return headers.expect === undefined && Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= DRAIN_BYTES
}
