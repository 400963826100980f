import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics/request-metrics.ts'
import type { HalfClose } from './connections.ts'
import { rawErrorReply, refuse, toApiError } from './error-reply.ts'
import { requestId } from './request-state.ts'
import type { Route } from './route.ts'

/** Responds to, counts and logs requests that reach no route: no hook sees them. */
export interface UnroutedRefusals {
  /** No request could be parsed. */
  unreadable(failure: Error & { code?: string }, socket: Socket): void
  /** CONNECT, which requests a proxy: without a listener Node would only close the connection. */
  tunnel(request: IncomingMessage, socket: Duplex): void
  /** The framework could not decode the path. */
  unaddressed(failure: Error, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function unroutedRefusals(
  { onResponse }: Pick<HttpMetrics, 'onResponse'>,
  log: Log,
  halfClose: HalfClose,
): UnroutedRefusals {
  function record({ status, code }: ApiError, method: string, id: string): void {
    const facts = { method, route: 'unknown', status, error: code }
    onResponse({ ...facts, seconds: 0 })
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
    async unaddressed(failure, request, reply) {
      halfClose.afterAnswer(request.raw)
      await refuse(failure, request, reply)
      record(toApiError(failure), request.method, request.id)
    },
  }
}

/** Why a request has no route: its path exists with other methods only, or does not exist. */
export function notServed(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): ApiError {
  const [path = ''] = request.url.split('?')
  const methods = routesAt(path, routes).map(({ method }) => method)
  if (methods.length === 0) return new ApiError('not_found')
  reply.header('allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
  return new ApiError('method_not_allowed')
}

/** A path without parameters takes precedence over those with parameters, for all methods: `/batch/limits` is not a batch. */
function routesAt(path: string, routes: readonly Route[]): readonly Route[] {
  const exact = routes.filter((route) => route.path === path)
  return exact.length > 0 ? exact : routes.filter((route) => matches(route.path, path))
}

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.+').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
