import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { limits } from '@pixelmill/codecs/contract/limits'
import { breakIfStalled, type IdleConnections } from '../../http/connections.ts'
import { headersOfAll } from '../../http/reply.ts'
import { requestId } from '../../http/request-state.ts'
import type { Services } from '../../services.ts'
import { clientHints } from '../client-hints.ts'
import type { Delivered } from '../deliver.ts'
import { DELIVERY_ROUTE } from '../render.ts'
import { type SentPart, sentPart } from './sent-part.ts'

/**
 * Answers requests for cached images before the framework sees them: its hooks, its log line and its objects of a request cost several
 * times as much as the answer. Whatever is not plainly such a request takes the usual way.
 */
export function answerFromCache(
  server: Server,
  { delivery, metrics, stop: { signal: stopping } }: Pick<Services, 'delivery' | 'metrics' | 'stop'>,
  idle: IdleConnections,
  closing: AbortSignal,
): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const usual = () => {
      for (const listener of listeners) listener.call(server, request, response)
    }
    const began = performance.now()
    const send = (deliveredImage: Delivered | undefined) => {
      const part = deliveredImage && sentPart(deliveredImage, request.method ?? 'GET', (name) => headerOf(request, name))
      // An error is said on the usual way.
      if (part && part.status !== 416) answer(request, response, part, began)
      else usual()
    }
    const cachedAnswer = closing.aborted ? undefined : lookUp(request, response)
    // A fault of the store is met again on the usual way, and reported there.
    if (cachedAnswer instanceof Promise) cachedAnswer.then(send, usual)
    else send(cachedAnswer)
  })

  function lookUp(request: IncomingMessage, response: ServerResponse): ReturnType<typeof delivery.fromCache> {
    const { url = '', headers } = request
    try {
      if (!mayBeCached(request) || url.includes('%00') || !delivery.isAddress(url)) return undefined
      const hints = clientHints((name) => headerOf(request, name))
      return delivery.fromCache(url, headers.accept, () => untilClosed(response), hints)
    } catch {
      // A fault of the look-up itself is met again there too.
      return undefined
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse, { status, headers, body }: SentPart, began: number): void {
    const { method, socket } = request
    idle.end(socket)
    response.once('close', () => idle.begin(socket))
    if (stopping.aborted) response.setHeader('connection', 'close')
    const common = { ...headersOfAll(requestId(request.headers)), ...headers }
    // RFC 9110, §8.6: the Content-Length of a 304 is that of the corresponding 200, or absent.
    response.writeHead(status, status === 304 ? common : { ...common, 'content-length': body.length })
    response.end(status === 304 || method === 'HEAD' ? undefined : body)
    if (response.writableLength > 0) breakIfStalled(response, limits.stalledAnswer, closing)
    metrics.onResponse({ route: DELIVERY_ROUTE, status, seconds: (performance.now() - began) / 1000 })
  }
}

/** Aborted when the client has gone. */
function untilClosed(response: ServerResponse): AbortSignal {
  const goneController = new AbortController()
  response.once('close', () => goneController.abort(new Error('the client has gone')))
  return goneController.signal
}

function mayBeCached({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const { host, expect, 'content-length': length, 'transfer-encoding': coding } = headers
  return host !== undefined && expect === undefined && length === undefined && coding === undefined
}

/** A header that is sent once. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? undefined : value
}
