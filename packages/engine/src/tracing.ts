import type { Attributes, Span, SpanKind, Tracer } from '@opentelemetry/api'

/** OpenTelemetry's API. `traces.ts` loads it together with the SDK, from packages that are only installed for tracing. */
type Api = typeof import('@opentelemetry/api')

/** Undefined if tracing is off: then the functions below only run the given work. */
let tracing: { readonly api: Api; readonly tracer: Tracer } | undefined

export function setTracing(one: typeof tracing): void {
  tracing = one
}

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplerNames)[number]

export type { Span }

type Work<Result> = (span: Span | undefined) => Promise<Result>

/**
 * Runs work as a child of the active span; without one, no span is created. Attributes are facts of bounded size: never a name, a
 * key, a caller's address or anything of an image.
 */
export function withSpan<Result>(
  name: string,
  attributes: Attributes,
  work: Work<Result>,
  kind: keyof typeof SpanKind = 'INTERNAL',
): Promise<Result> {
  if (!tracing || !activeSpan()) return work(undefined)
  return inSpan(tracing.tracer.startSpan(name, { kind: tracing.api.SpanKind[kind], attributes }), work)
}

/** Runs work that starts a trace of its own: items taken from a queue. */
export function withRootSpan<Result>(name: string, attributes: Attributes, work: Work<Result>): Promise<Result> {
  if (!tracing) return work(undefined)
  const { api, tracer } = tracing
  return inSpan(tracer.startSpan(name, { kind: api.SpanKind.CONSUMER, attributes, root: true }), work)
}

/** Records a span that is already over; times are those of performance.now(). */
export function recordSpan(parent: Span, name: string, attributes: Attributes, beganAt: number, endedAt: number): void {
  if (!tracing) return
  const { api, tracer } = tracing
  const startTime = performance.timeOrigin + beganAt
  tracer
    .startSpan(name, { attributes, startTime }, api.trace.setSpan(api.ROOT_CONTEXT, parent))
    .end(performance.timeOrigin + endedAt)
}

/**
 * Starts the span of a request, in the caller's trace if it sent `traceparent`; undefined if tracing is off. Other headers of a
 * caller, such as `tracestate`, are not read, since they would be passed on.
 */
export function startRequestSpan(name: string, attributes: Attributes, traceparent: string | undefined): Span | undefined {
  if (!tracing) return undefined
  const { api, tracer } = tracing
  const parent = api.propagation.extract(api.ROOT_CONTEXT, { traceparent })
  return tracer.startSpan(name, { kind: api.SpanKind.SERVER, attributes }, parent)
}

export const activeSpan = (): Span | undefined => tracing?.api.trace.getActiveSpan()

/** The fields of a log line that identify its trace. */
export function traceFields(): { readonly traceId?: string } {
  const span = activeSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}

/** Headers that continue the current trace at another server. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers = {}
  tracing?.api.propagation.inject(tracing.api.context.active(), headers)
  return headers
}

/** Runs work with `span` as the active span. */
export function within<Result>(span: Span, work: () => Result): Result {
  if (!tracing) return work()
  const { context, trace } = tracing.api
  return context.with(trace.setSpan(context.active(), span), work)
}

/** @param type one of our identifiers, or the class name of an error */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  if (tracing) span.setStatus({ code: tracing.api.SpanStatusCode.ERROR })
}

async function inSpan<Result>(span: Span, work: Work<Result>): Promise<Result> {
  try {
    return await within(span, () => work(span))
  } catch (error) {
    failSpan(span, typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Not the message, which might contain sensitive data. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
