import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Services } from '../services.ts'
import { isEncoded, SEND_PLAIN, storedPace, watchPace } from './read-body.ts'
import { atEnd } from './request-state.ts'
import type { IncomingFile } from './route.ts'

/** Headers that proxies add. */
const PROXIED = ['via', 'forwarded', 'x-forwarded-for'] as const

const UPLOAD_RESUMPTION_SUPPORTED = 104

/** draft-ietf-httpbis-resumable-upload-11: without it a server must not send 104. */
const INTEROP_VERSION = 'upload-draft-interop-version'
const VERSION = '8'

/** How long a file may still arrive once the server stops: what has come by then is kept, and the client is told, before the connection ends. */
const CLOSING_MS = (limits.shutdown.requests - 5) * 1000

/**
 * Opens the body of a request, within the account's share of the uploads in progress.
 * @throws ApiError rate_limited, server_busy, invalid_params
 */
export function openIncomingFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { storedUploads, config }: Pick<Services, 'storedUploads' | 'config'>,
  closing: AbortSignal,
): IncomingFile {
  const { raw, headers, visitor, gone } = request
  if (visitor?.account === undefined) throw new Error('a route that stores files needs an account')
  if (isEncoded(raw)) throw invalidParam('Content-Encoding', 'custom', SEND_PLAIN)
  const place = storedUploads.enter(visitor.account)
  const endedController = new AbortController()
  // Nothing is passed on before the handler reads, not even to the watch on the pace.
  raw.pause()
  const unwatch = watchPace(raw, storedPace(config), () => endedController.abort(new ApiError('upload_timeout')))
  let timer: NodeJS.Timeout | undefined
  const limit = () => {
    timer = setTimeout(() => endedController.abort(new ApiError('server_busy')), CLOSING_MS)
  }
  if (closing.aborted) limit()
  else closing.addEventListener('abort', limit, { once: true })
  atEnd(request, () => {
    place[Symbol.dispose]()
    unwatch()
    closing.removeEventListener('abort', limit)
    clearTimeout(timer)
    // What was not read: otherwise the connection would be stuck.
    raw.resume()
  })
  const isDirect = raw.httpVersion === '1.1' && PROXIED.every((name) => headers[name] === undefined)
  const isInformed = isDirect && headers[INTEROP_VERSION] === VERSION
  return {
    stream: raw,
    bytes: headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined,
    signal: AbortSignal.any([gone.signal, endedController.signal]),
    isInformed,
    begin() {
      if (headers.expect !== undefined) reply.raw.writeContinue()
    },
    inform(informClient) {
      if (isInformed && !reply.raw.headersSent && !reply.raw.destroyed)
        reply.raw.writeInformation(UPLOAD_RESUMPTION_SUPPORTED, { ...informClient, [INTEROP_VERSION]: VERSION })
    },
  }
}
