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

/** Answers what reaches no route, so that no hook counts it or writes its line. */
export interface UnroutedRefusals {
  /** No request could be read. */
  unreadable(failure: Error & { code?: string }, socket: Socket): void
  /** CONNECT asks for a way to another host, which is nothing that is here; without a listener Node would just hang up. */
  tunnel(request: IncomingMessage, socket: Duplex): void
  /** The framework could not make sense of the address. */
  unaddressed(failure: Error, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function unroutedRefusals(
  { onResponse }: Pick<HttpMetrics, 'onResponse'>,
  log: Log,
  halfClose: HalfClose,
): UnroutedRefusals {
  function note({ status, code }: ApiError, method: string, id: string): void {
    const facts = { method, route: 'unknown', status, error: code }
    onResponse({ ...facts, seconds: 0 })
    log.info({ requestId: id, ...facts })
  }
  function answer(error: ApiError, method: string, id: string, socket: Duplex): void {
    socket.write(rawErrorReply(error, id))
    halfClose.now(socket)
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
      halfClose.afterAnswer(request.raw)
      await refuse(failure, request, reply)
      note(toApiError(failure), request.method, request.id)
    },
  }
}

/** Whether a path is one of those that a route's path stands for. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

/** A path without parameters hides those that have them, with all of their methods: `/batch/limits` is no batch. */
function routesAt(path: string, routes: readonly Route[]): readonly Route[] {
  const exact = routes.filter((route) => route.path === path)
  return exact.length > 0 ? exact : routes.filter((route) => matches(route.path, path))
}

/** Why a request found no route: its path exists with other methods, or does not exist. */
export function notServed(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): ApiError {
  const [path = ''] = request.url.split('?')
  const methods = routesAt(path, routes).map(({ method }) => method)
  if (methods.length === 0) return new ApiError('not_found')
  reply.header('allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
  return new ApiError('method_not_allowed')
}
