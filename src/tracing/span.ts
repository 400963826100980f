/** What is told of a span: facts of bounded size. Never a name, a key, an address of a caller, or anything of a picture. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** `server`: for a caller; `client`: another server is asked; `consumer`: work that was taken from a queue. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** One piece of work with a beginning and an end, among others of the same trace. */
export interface Span {
  /** Thirty-two hexadecimal digits. */
  readonly traceId: string
  /** As the header of W3C Trace Context has it. */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** It went wrong; `type` is an identifier of ours, or the name of an error's class. */
  fail(type: string): void
  end(): void
}

export interface SpanStart {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** The span that it is a part of, or a caller's header `traceparent`. */
  readonly parent?: Span | string | undefined
}

/** Makes spans, and sends those that are sampled. */
export interface Tracer {
  start(start: SpanStart): Span
  /** A span that is known only when it is over; moments as performance.now() has them. */
  record(start: SpanStart, beganAt: number, endedAt: number): void
}
