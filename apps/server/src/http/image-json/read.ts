import type { IncomingMessage } from 'node:http'
import { megabytes } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../../contract/api-error.ts'
import { type Pace, watchPace } from '../read-body.ts'
import { DecodingSpace } from './base64-image.ts'
import { type ImageJson, ImageJsonScanner } from './scanner.ts'

export interface ImageJsonLimits {
  readonly bytes: number
  readonly pace: Pace
}

const tooLarge = (bytes: number): ApiError =>
  new ApiError('file_too_large', { message: `Send a body of at most ${megabytes(bytes)}, and images of at most 15 MB each.` })

/** @throws ApiError file_too_large when the announced length is too large */
export function requireLength({ headers }: Pick<IncomingMessage, 'headers'>, bytes: number): void {
  if (Number(headers['content-length'] ?? 0) > bytes) throw tooLarge(bytes)
}

/**
 * Reads a JSON body whose type and length have been checked, and decodes its images while they arrive: neither an image nor the body
 * is ever one string.
 * @throws ApiError file_too_large, invalid_params, upload_timeout; the signal's reason when it aborts
 */
export function readImageJson(
  request: IncomingMessage,
  { bytes: largest, pace }: ImageJsonLimits,
  signal: AbortSignal,
): Promise<ImageJson> {
  return new Promise((resolve, reject) => {
    const scanner = new ImageJsonScanner(new DecodingSpace(Number(request.headers['content-length'] ?? largest)))
    let bytes = 0
    const unwatch = watchPace(request, pace, () => stop(new ApiError('upload_timeout')))
    const onAbort = () => stop(signal.reason)
    function onData(chunk: Buffer): void {
      bytes += chunk.length
      try {
        if (bytes > largest) throw tooLarge(largest)
        scanner.add(chunk)
        pauseForOthers()
      } catch (reason) {
        stop(reason)
      }
    }
    // Otherwise a fast client would have megabytes decoded in one tick of the event loop, and thirty clients a second of work.
    function pauseForOthers(): void {
      request.pause()
      setImmediate(() => request.resume())
    }
    function onEnd(): void {
      try {
        resolve(scanner.end())
        stop()
      } catch (reason) {
        stop(reason)
      }
    }
    function stop(reason?: unknown): void {
      unwatch()
      signal.removeEventListener('abort', onAbort)
      request.off('data', onData).off('end', onEnd)
      reject(reason)
      // After a refusal the rest is discarded, so that a client that writes everything before it reads sees the answer.
      request.resume()
    }
    request.once('error', stop)
    if (signal.aborted) {
      stop(signal.reason)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    request.on('data', onData)
    request.once('end', onEnd)
  })
}
