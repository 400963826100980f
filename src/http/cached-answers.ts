import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { limits } from '../contract/limits.ts'
import { answerHeaders, isNotModified } from '../delivery/answer.ts'
import type { Delivered } from '../delivery/deliver.ts'
import { DELIVERY_ROUTE } from '../delivery/render.ts'
import type { Services } from '../services.ts'
import { breakIfStalled, type IdleConnections } from './connections.ts'
import { headersOfAll } from './reply.ts'
import { requestId } from './request-state.ts'

/**
 * Answers requests for images that are in memory before the framework sees them: its hooks, its log line and its objects of a request
 * cost several times as much as the answer. Whatever is not plainly such a request takes the usual way.
 */
export function answerFromMemory(
  server: Server,
  { delivery, metrics }: Pick<Services, 'delivery' | 'metrics'>,
  idle: IdleConnections,
  closing: AbortSignal,
): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (closing.aborted || !mayBeCached(request) || !answered(request, response))
      for (const listener of listeners) listener.call(server, request, response)
  })

  function answered(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = 'GET', headers, socket } = request
    const began = performance.now()
    const delivered = delivery.hit(url, headers.accept)
    if (!delivered) return false
    idle.end(socket)
    response.once('close', () => idle.begin(socket))
    const status = isNotModified(delivered, headers['if-none-match'], headers['if-modified-since']) ? 304 : 200
    send(
      response,
      status,
      headersOf(delivered, requestId(headers), status),
      method === 'HEAD' ? undefined : delivered.result.body,
    )
    if (response.writableLength > 0) breakIfStalled(response, limits.stalledAnswer, closing)
    metrics.onResponse({ method, route: DELIVERY_ROUTE, status, seconds: (performance.now() - began) / 1000 })
    return true
  }
}

function mayBeCached({ method, url, headers }: IncomingMessage): boolean {
  if (!url?.startsWith('/i/') || (method !== 'GET' && method !== 'HEAD')) return false
  const { host, expect, 'content-length': length, 'transfer-encoding': coding } = headers
  return host !== undefined && expect === undefined && length === undefined && coding === undefined
}

function headersOf(delivered: Delivered, id: string, status: number): Record<string, string | number> {
  const headers = { ...headersOfAll(id), ...answerHeaders(delivered) }
  // RFC 9110, §8.6: the Content-Length of a 304 is that of the corresponding 200, or absent.
  return status === 304 ? headers : { ...headers, 'content-length': delivered.result.body.length }
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: Buffer | undefined,
): void {
  response.writeHead(status, headers)
  response.end(status === 304 ? undefined : body)
}
