import type { Outbound } from '../../outbound/outbound.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { OutboundResponse } from '../../outbound/send.ts'
import { MOST_BYTES, notFound, type Origin, type Read, tooLarge, unavailable, type Validators } from './original.ts'

/** For the whole file. */
const DEADLINE_MS = 15_000

type Send = Outbound['guardedFetch']

/** Files below a URL. Redirects are not followed: they would lead out of the source. */
export const webOrigin = (baseUrl: string, send: Send): Origin => ({
  read(path, knownValidators, signal, query) {
    const place = baseUrl + path.map(encodeURIComponent).join('/')
    return fetchOriginal(query === undefined ? place : `${place}?${query}`, send, knownValidators, signal)
  },
})

const NOT_MODIFIED = 304
const NOT_FOUND = 404
const GONE = 410

/** One GET of a file. @throws ApiError source_image_not_found, source_unavailable; the signal's reason */
export async function fetchOriginal(
  url: string,
  send: Send,
  knownValidators: Validators | undefined,
  signal: AbortSignal,
): Promise<Read> {
  const headers = {
    ...(knownValidators?.etag !== undefined && { 'if-none-match': knownValidators.etag }),
    ...(knownValidators?.lastModified !== undefined &&
      knownValidators.etag === undefined && { 'if-modified-since': knownValidators.lastModified }),
  }
  try {
    const response = await send(url, { headers, signal, deadlineMs: DEADLINE_MS, maxBytes: MOST_BYTES })
    if (response.status === 200) return await originalOf(response)
    response.discard()
    if (response.status === NOT_MODIFIED && knownValidators) return 'unchanged'
    if (response.status === NOT_FOUND || response.status === GONE) throw notFound()
    throw unavailable(`its server answered with status ${response.status}.`)
  } catch (error) {
    if (error instanceof OutboundError) throw error.kind === 'too_large' ? tooLarge() : unavailable(error.message, error)
    throw error
  }
}

async function originalOf(response: OutboundResponse): Promise<Read> {
  if (Number(response.header('content-length') ?? 0) > MOST_BYTES) {
    response.discard()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of response.chunks()) chunks.push(chunk)
  const etag = response.header('etag')
  const modifiedCount = Date.parse(response.header('last-modified') ?? '')
  return {
    bytes: Buffer.concat(chunks),
    ...(etag !== null && { etag }),
    // What is no date is neither sent on nor asked for.
    ...(!Number.isNaN(modifiedCount) && { lastModified: new Date(modifiedCount).toUTCString() }),
  }
}
