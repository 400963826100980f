import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span, SpanKind, SpanStart, Tracer } from './span.ts'

/**
 * Spans find the one that they are a part of by themselves, through whatever is awaited in between: else every function on the
 * way would have to hand it on. Without a tracer, nothing here does more than to look whether there is one.
 */
const context = new AsyncLocalStorage<Span | undefined>()
let tracer: Tracer | undefined

/** From here on there are spans; undefined ends that. */
export function setTracer(one: Tracer | undefined): void {
  tracer = one
}

/** The span that the work at hand is a part of. */
export const activeSpan = (): Span | undefined => (tracer ? context.getStore() : undefined)

/** Begins a span that somebody else ends; undefined where nothing is traced. */
export const beginSpan = (start: SpanStart): Span | undefined => tracer?.start(start)

/** Does work as a part of a span that was begun. */
export const within = <Result>(span: Span | undefined, work: () => Result): Result => (span ? context.run(span, work) : work())

/** Work that belongs to no other: the first span of a trace. */
export function tracedRoot<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = beginSpan({ name, kind: 'consumer', attributes })
  return span ? inSpan(span, work) : work(undefined)
}

/** A part of the work at hand. Where that is not traced, neither is its part. */
export function traced<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<Result>,
  kind: SpanKind = 'internal',
): Promise<Result> {
  const parent = activeSpan()
  const span = parent && beginSpan({ name, kind, attributes, parent })
  return span ? inSpan(span, work) : work(undefined)
}

/** A part of the work at hand that is over already; moments as performance.now() has them. */
export function tracedBefore(parent: Span, name: string, attributes: Attributes, beganAt: number, endedAt: number): void {
  tracer?.record({ name, attributes, parent }, beganAt, endedAt)
}

async function inSpan<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await context.run(span, () => work(span))
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Of an error of ours its identifier; a message might say too much. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
