import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'
import type { Charge } from '../metering/calls.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
    /** What was charged for this request and is not settled yet. */
    charge: Charge | null
    /** Aborted when the client has gone before its answer was sent. */
    gone: AbortController
    /** The identifier of the error that was answered, for the log. */
    failure: string | null
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

/** The charge, for whoever settles it: it can be taken once. */
export function takeCharge(request: FastifyRequest): Charge | null {
  const { charge } = request
  request.charge = null
  return charge
}
