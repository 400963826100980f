import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { Calls, Charge } from '../metering/calls.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
    /** What was charged for this request, until it is given back. */
    charge: Charge | null
    /** Aborted when the client has gone before its answer was sent. */
    gone: AbortController
    /** The error that was answered, for the log. */
    failure: ErrorName | null
  }
}

/**
 * Notices a client that hangs up. Fastify's own request.signal aborts as soon as the body has been read (5.12.8), so the
 * answer's socket is watched instead.
 */
export function watchClient(request: FastifyRequest, reply: FastifyReply): void {
  request.gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) request.gone.abort(new Error('the client has gone'))
  })
}

/** A call that brought nothing costs nothing. Whoever comes first gives it back, once. */
export async function giveBack(request: FastifyRequest, calls: Calls): Promise<void> {
  const { charge } = request
  if (!charge) return
  request.charge = null
  // The caller gets its answer all the same; the log line has what is needed to mend the count by hand.
  await calls
    .giveBack(charge)
    .catch((error: unknown) => request.log.error({ err: error, charge }, 'a call could not be given back'))
}
