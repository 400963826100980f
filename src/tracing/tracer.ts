import type { Sdk, SdkContext, SdkSpan, SdkTracer, SpanContext } from './sdk.ts'
import type { Attributes, Span, SpanKind, SpanStart, Tracer } from './span.ts'

/** Version 00 of W3C Trace Context; a later one may have more behind it. All zeros is no id. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?=$|-)/

const kinds = { internal: 'INTERNAL', server: 'SERVER', client: 'CLIENT', consumer: 'CONSUMER' } as const satisfies Record<
  SpanKind,
  keyof Sdk['api']['SpanKind']
>

/** Our spans on those of the SDK. */
export function sdkTracer({ SpanKind, SpanStatusCode, ROOT_CONTEXT, trace }: Sdk['api'], tracer: SdkTracer): Tracer {
  const spans = new WeakMap<Span, SdkSpan>()

  function contextOf(parent: SpanStart['parent']): SdkContext {
    if (typeof parent === 'string') {
      const remote = readTraceparent(parent)
      return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT
    }
    const span = parent && spans.get(parent)
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT
  }
  function start({ name, kind = 'internal', attributes = {}, parent }: SpanStart, startTime?: number): SdkSpan {
    const options = { kind: SpanKind[kinds[kind]], attributes: told(attributes), ...(startTime !== undefined && { startTime }) }
    return tracer.startSpan(name, options, contextOf(parent))
  }
  return {
    start(wish) {
      const span = start(wish)
      const { traceId, spanId, traceFlags } = span.spanContext()
      const ours: Span = {
        traceId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        set(attributes) {
          for (const [name, value] of Object.entries(told(attributes))) span.setAttribute(name, value)
        },
        fail(type) {
          span.setAttribute('error.type', type)
          span.setStatus({ code: SpanStatusCode.ERROR })
        },
        end: () => span.end(),
      }
      spans.set(ours, span)
      return ours
    },
    record: (wish, beganAt, endedAt) => start(wish, performance.timeOrigin + beganAt).end(performance.timeOrigin + endedAt),
  }
}

type Told = Readonly<Record<string, string | number | boolean>>

const told = (attributes: Attributes): Told =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Told

function readTraceparent(header: string): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(header) ?? []
  return traceId && spanId ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 } : undefined
}
