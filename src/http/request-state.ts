import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'
import type { Allowance } from '../contract/allowance.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { CallRefused } from '../metering/admission.ts'
import type { AiNote } from './route.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What a browser is shown at an address that does not exist. */
    notFoundPage: NotFoundPage | undefined
  }
  interface FastifyRequest {
    visitor: Visitor | null
    /** Why metering refused it. */
    refusal: CallRefused | null
    /** Bytes of the files that were sent, once they have arrived. */
    inputBytes: number | null
    /** Aborted when the client has gone before its answer was sent. */
    gone: AbortController
    /** Aborted when the answer has been sent, or its client has gone. */
    over: AbortController
    /** The error that was answered, for the log. */
    failure: ErrorName | null
    /** What it has spent on a model. */
    ai: AiNote | null
  }
}

export interface NotFoundPage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One for all: an AbortError with its stack for each request takes a fiftieth of the API's time. */
const OVER = new Error('the request is over')

/**
 * Notices a client that hangs up. Fastify's own request.signal aborts as soon as the body has been read (5.12.8), so the
 * answer's socket is watched instead.
 */
export function watchClient(request: FastifyRequest, reply: FastifyReply): void {
  request.gone = new AbortController()
  request.over = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) request.gone.abort(new Error('the client has gone'))
    request.over.abort(OVER)
  })
}

/** Calls `end` once, when the answer has been sent or its client has gone: at once where that is so already. */
export function atEnd({ over: { signal } }: FastifyRequest, end: () => void): void {
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
}

/** What its caller may still do; nothing where that is not metered. */
export const allowanceOf = ({ visitor, refusal, ai }: FastifyRequest): Allowance => ({
  ...(visitor?.metered?.allowance() ?? visitor?.allowance ?? refusal?.allowance),
  ...(ai?.quota && { images: ai.quota }),
})

/** A call that brought nothing costs nothing. */
export async function giveBack({ visitor, log }: FastifyRequest): Promise<void> {
  const metered = visitor?.metered
  // The caller gets its answer all the same; it is given back when the database is there again.
  await metered
    ?.giveBack()
    .catch((error: unknown) => log.error({ err: error, reservation: metered.reservation }, 'a call could not be given back'))
}

/** After its answer, a body that nobody has read gets this long to arrive: Node's own limit is that of a large upload. */
export function closeIfLate({ raw }: FastifyRequest, seconds: number): void {
  if (raw.complete || raw.destroyed) return
  const timer = setTimeout(() => raw.complete || raw.destroy(), seconds * 1000).unref()
  raw.once('close', () => clearTimeout(timer))
}

const OURS = /^[A-Za-z0-9_-]{8,64}$/

/** The caller's own id where it is harmless in a header and a log line, else a new one. */
export function requestId(headers: IncomingHttpHeaders = {}): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && OURS.test(given) ? given : `req_${randomUUID().replaceAll('-', '')}`
}
