import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics/request-metrics.ts'
import type { HalfClose } from './connections.ts'
import { isDelivery, rawErrorReply, refuse, toApiError } from './error-reply.ts'
import { requestId } from './request-state.ts'
import type { ServedPath } from './router.ts'

/** Responds to, counts and logs requests that reach no route: no hook sees them. */
export interface UnroutedRefusals {
  /** No request could be parsed. */
  unreadable(failure: Error & { code?: string }, socket: Socket): void
  /** CONNECT, which requests a proxy: without a listener Node would only close the connection. */
  tunnel(request: IncomingMessage, socket: Duplex): void
  /** The framework could not decode the path. */
  refuseUnaddressed(failure: Error, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function unroutedRefusals(
  { onResponse }: Pick<HttpMetrics, 'onResponse'>,
  log: Log,
  halfClose: HalfClose,
  stopping: AbortSignal,
): UnroutedRefusals {
  function record({ status, code }: ApiError, method: string, id: string): void {
    const facts = { method, route: 'unknown', status, error: code }
    onResponse({ route: facts.route, status, error: code, seconds: 0 })
    log.info({ requestId: id, ...facts })
  }
  function answer(error: ApiError, method: string, id: string, socket: Duplex): void {
    socket.write(rawErrorReply(error, id))
    halfClose.now(socket)
    record(error, method, id)
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
    async refuseUnaddressed(failure, request, reply) {
      halfClose.afterAnswer(request.raw)
      // No hook does it here.
      if (stopping.aborted) reply.header('connection', 'close')
      const error = isDelivery(request) ? invalidParam('path', 'invalid_format', 'Must be percent-encoded UTF-8.') : failure
      await refuse(error, request, reply)
      record(toApiError(error), request.method, request.id)
    },
  }
}

/** Why a request has no route: its path exists with other methods only, or does not exist. */
export function notServed(reply: FastifyReply, servedPath: ServedPath | undefined): ApiError {
  if (!servedPath) return new ApiError('not_found')
  reply.header('allow', servedPath.allow)
  return new ApiError('method_not_allowed')
}
