import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Config } from '../config.ts'
import { ApiError, isRefusal } from '../contract/api-error.ts'

interface BodyLimits {
  readonly bytes: number
  readonly timeoutSeconds: number
}

export const SEND_PLAIN = 'Send the request body without Content-Encoding.'

/** Whether the body is compressed, as by gzip. Images are compressed already, and archive bombs are not to be unpacked here. */
export const isEncoded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'

const bodyTooLarge = (bytes: number): ApiError =>
  new ApiError('invalid_params', {
    message: `The body must have at most ${bytes} bytes.`,
    issues: [{ path: [], code: 'too_big', message: `Must have at most ${bytes} bytes.` }],
  })

/**
 * Reads a body into memory, under limits.
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
      // After a refusal the rest is discarded, so that a client that writes everything before it reads sees the answer.
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

/**
 * Reads and parses a JSON body whose type has been checked.
 * @throws ApiError invalid_params, upload_timeout; the signal's reason when it aborts
 */
export async function readJson(request: IncomingMessage, size: BodyLimits, signal: AbortSignal): Promise<unknown> {
  return parseJsonBytes(await readBody(request, size, signal))
}

/** @throws ApiError invalid_params when the type is not JSON's: a form of another site can send any other, but not this */
export function requireJsonType(request: IncomingMessage): void {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw notJson('Send the request body as application/json, in UTF-8.')
  if (isEncoded(request)) throw notJson(SEND_PLAIN)
}

/** @throws ApiError invalid_params when the bytes are not JSON in UTF-8 */
export function parseJsonBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw notJson('The request body is not valid JSON in UTF-8.', cause)
  }
}

/** Seconds for a body before its sender is known. */
const SMALL_SECONDS = 10

/** Reads a JSON body of at most 64 KiB, for a decision of admission; undefined for every other body, which is left unread. */
export async function readSmallJson(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<unknown> {
  const { headers } = request
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!isSent || Number(headers['content-length'] ?? 0) > limits.jsonBytes) return undefined
  try {
    requireJsonType(request)
    if (headers.expect !== undefined) response.writeContinue()
    return await readJson(request, { bytes: limits.jsonBytes, timeoutSeconds: SMALL_SECONDS }, signal)
  } catch (reason) {
    if (isRefusal(reason)) return undefined
    throw reason
  }
}

/** RFC 8259 §8.1: JSON between systems is UTF-8; a charset parameter may say so, and nothing else. */
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?;?\s*$/i

const notJson = (message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_params', { message, issues: [{ path: [], code: 'invalid_format', message }], cause })

/** How fast a body must arrive. */
export interface Pace {
  /** Seconds without a byte. */
  readonly idleSeconds: number
  /** Average bytes a second, once `idleSeconds` have passed. */
  readonly bytesPerSecond?: number
  /** Seconds for the whole body. */
  readonly seconds: number
}

/** Seconds for a large upload: after an hour its reservation would count as that of a lost call. */
export const LONGEST_UPLOAD_S = 50 * 60
/** Half a megabit a second: a slower upload occupies a connection without getting anywhere. */
const LEAST_BYTES_PER_SECOND = 64 * 1024

/** How fast a file must arrive that goes into the store. */
export const storedPace = ({ UPLOAD_TIMEOUT_S }: Pick<Config, 'UPLOAD_TIMEOUT_S'>): Pace => ({
  idleSeconds: UPLOAD_TIMEOUT_S,
  bytesPerSecond: LEAST_BYTES_PER_SECOND,
  seconds: LONGEST_UPLOAD_S,
})

const CHECK_MS = 500

/**
 * Calls `onLate` when a body arrives too slowly; returns a function that ends the watch. Time in which the body is not read, because
 * the store is slower than the client, counts only for `seconds`.
 */
export function watchPace(request: IncomingMessage, pace: Pace, onLate: () => void): () => void {
  const { idleSeconds, bytesPerSecond = 0, seconds } = pace
  let bytes = 0
  let read = 0
  let idle = 0
  let last = performance.now()
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    idle = 0
  }
  function check(): void {
    const now = performance.now()
    const passedCount = request.isPaused() ? 0 : (now - last) / 1000
    last = now
    read += passedCount
    idle += passedCount
    if (idle >= idleSeconds || (read - idleSeconds) * bytesPerSecond > bytes) onLate()
  }
  const checking = setInterval(check, CHECK_MS)
  const whole = setTimeout(onLate, seconds * 1000)
  request.on('data', onData)
  return () => {
    clearInterval(checking)
    clearTimeout(whole)
    request.off('data', onData)
  }
}
