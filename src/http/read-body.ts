import type { IncomingMessage } from 'node:http'
import { ApiError } from '../contract/api-error.ts'

export interface BodyLimits {
  readonly bytes: number
  readonly timeoutSeconds: number
}

export const SEND_PLAIN = 'Send the request body without Content-Encoding.'

/** Whether the body is said to be packed, as by gzip. Images are packed already, and bombs are not to be unpacked here. */
export const isEncoded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'

export const bodyTooLarge = (bytes: number): ApiError =>
  new ApiError('invalid_params', {
    message: `The body must have at most ${bytes} bytes.`,
    issues: [{ path: [], code: 'too_big', message: `Must have at most ${bytes} bytes.` }],
  })

/**
 * Collects a body under limits, while it streams in.
 * @throws ApiError invalid_params when it is too large, upload_timeout; the signal's reason when it aborts
 */
export function readBody(
  request: IncomingMessage,
  { bytes: largest, timeoutSeconds }: BodyLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > largest) throw bodyTooLarge(largest)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => stop(new ApiError('upload_timeout')), timeoutSeconds * 1000)
    const onAbort = () => stop(signal.reason)
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > largest) stop(bodyTooLarge(largest))
      else chunks.push(chunk)
    }
    function stop(reason?: unknown): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      request.off('data', onData)
      if (reason === undefined) resolve(Buffer.concat(chunks))
      else reject(reason)
      // After a refusal what is still to come is read past, so that a client that only writes gets to see the answer.
      request.resume()
    }
    if (signal.aborted) {
      stop(signal.reason)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    request.on('data', onData)
    request.once('end', () => stop())
    request.once('error', stop)
  })
}
