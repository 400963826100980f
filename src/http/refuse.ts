import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'
import { endedSessionCookie } from '../admission/session-cookie.ts'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import type { Log } from '../log.ts'
import { CallRefused } from '../metering/call-refused.ts'
import type { HttpMetrics } from '../metrics/http-metrics.ts'
import { errorBody, errorHeaders, headersOfAll, rawErrorReply, toApiError } from './error-reply.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { requestId } from './request-id.ts'
import { allowanceOf, giveBack } from './request-state.ts'
import { strangerOf } from './visitor.ts'

/** A refused body up to this size is read past, so that a client that writes before it reads sees the answer: twice the largest
 * that is taken, for who sends one that is a little too large. */
const DRAIN_BYTES = 2 * limits.ai.bodyBytes

/** A client that waits for "100 Continue" sends no body after a refusal; one without a length might send for ever. */
function canDrain({ headers }: FastifyRequest): boolean {
  return headers.expect === undefined && Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= DRAIN_BYTES
}

/**
 * Whether it was a browser's session that has ended: it need not be sent along again. One that never was a token of ours may
 * be that of another program, since ports of one host share their cookies.
 */
const isEndedSession = ({ code }: ApiError, { authorization, cookie }: Visitor): boolean =>
  code === 'invalid_or_expired_login_token' && authorization === undefined && cookie !== undefined

/** What an operator has to hear of: a 503 has a cause where it is not only that there is too much to do. */
const isOurs = ({ status, cause, ofCaller }: ApiError): boolean =>
  status === 500 || (status === 502 && !ofCaller) || (status === 503 && cause !== undefined)

/** Answers anything thrown with the error body, after the call has been given back. */
export async function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const error = toApiError(thrown)
  request.failure = error.code
  if (error instanceof CallRefused) request.refusal = error
  // An address that cannot be decoded comes here before a client is watched.
  const gone: AbortController | undefined = request.gone
  if (isOurs(error) && !gone?.signal.aborted) request.log.error({ err: error.cause ?? error }, error.code)
  await giveBack(request)
  const stranger = strangerOf(request)
  if (isEndedSession(error, stranger)) reply.header('set-cookie', endedSessionCookie(stranger))
  if (!request.raw.complete && !canDrain(request)) reply.header('connection', 'close')
  // HTTP/1.1 carries the identifier in the reason phrase as well: contract §2.
  reply.raw.statusMessage = error.code
  return (
    reply
      .code(error.status)
      // Once more: an address that cannot be decoded never reaches the hooks.
      .headers({ ...headersOfAll(request.id), ...errorHeaders(error), ...rateLimitHeaders(allowanceOf(request)) })
      .send(JSON.stringify(errorBody(error, request.id)))
  )
}

/** Answers what reaches no route, so that no hook counts it or writes its line. */
export interface UnroutedRefusals {
  /** No request could be read. */
  unreadable(failure: Error & { code?: string }, socket: Socket): void
  /** CONNECT asks for a way to another host, which is nothing that is here; without a listener Node would just hang up. */
  tunnel(request: IncomingMessage, socket: Duplex): void
  /** The framework could not make sense of the address. */
  unaddressed(failure: Error, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function unroutedRefusals({ onResponse }: Pick<HttpMetrics, 'onResponse'>, log: Log): UnroutedRefusals {
  function note({ status, code }: ApiError, method: string, id: string): void {
    const facts = { method, route: 'unknown', status, error: code }
    onResponse({ ...facts, seconds: 0 })
    log.info({ requestId: id, ...facts })
  }
  function answer(error: ApiError, method: string, id: string, socket: Duplex): void {
    socket.end(rawErrorReply(error, id))
    note(error, method, id)
  }
  return {
    unreadable(failure, socket) {
      if (failure.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      const code = failure.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'upload_timeout' : 'bad_request'
      answer(new ApiError(code), 'unknown', requestId(), socket)
    },
    tunnel({ headers }, socket) {
      socket.on('error', () => socket.destroy())
      answer(new ApiError('not_found'), 'CONNECT', requestId(headers), socket)
    },
    async unaddressed(failure, request, reply) {
      await refuse(failure, request, reply)
      note(toApiError(failure), request.method, request.id)
    },
  }
}
