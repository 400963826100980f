import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import { type BodyLimits, isEncoded, readBody, SEND_PLAIN } from './read-body.ts'

/** RFC 8259 §8.1: JSON between systems is UTF-8; a charset parameter may say so, and nothing else. */
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?;?\s*$/i

const notJson = (message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_params', { message, issues: [{ path: [], code: 'invalid_format', message }], cause })

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

/** A stranger's body may take this long. */
const SMALL_SECONDS = 10

/** A JSON body of at most 64 KiB, for a decision of admission; undefined for every other body, which is not read on. */
export async function readSmallJson(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<unknown> {
  const { headers } = request
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!isSent || Number(headers['content-length'] ?? 0) > limits.jsonBytes) return undefined
  try {
    requireJsonType(request)
    if (headers.expect !== undefined) response.writeContinue()
    return await readJson(request, { bytes: limits.jsonBytes, timeoutSeconds: SMALL_SECONDS }, signal)
  } catch (reason) {
    if (reason instanceof ApiError) return undefined
    throw reason
  }
}

/**
 * A JSON body whose type has been checked, not yet what it says.
 * @throws ApiError invalid_params, upload_timeout; the signal's reason when it aborts
 */
export async function readJson(request: IncomingMessage, size: BodyLimits, signal: AbortSignal): Promise<unknown> {
  return parseJsonBytes(await readBody(request, size, signal))
}
