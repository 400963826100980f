import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span } from '../tracing/span.ts'
import { beginSpan, within } from '../tracing/tracing.ts'

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
    span.set({ 'http.response.status_code': statusCode, 'pixelmill.input_bytes': inputBytes ?? undefined })
    // What a caller did wrong is no error of the server: so OpenTelemetry's conventions have it.
    if (failure && statusCode < 500) span.set({ 'error.type': failure })
    else if (statusCode >= 500) span.fail(failure ?? String(statusCode))
    span.end()
  })
}

function begin({ id, method, routeOptions, headers }: FastifyRequest): Span | undefined {
  const { url: route } = routeOptions
  if (SILENT.includes(route)) return undefined
  const { traceparent } = headers
  return beginSpan({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'pixelmill.request_id': id },
    parent: typeof traceparent === 'string' ? traceparent : undefined,
  })
}
