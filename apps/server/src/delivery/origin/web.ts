import { followRedirects } from '../../outbound/follow-redirects.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { OutboundResponse } from '../../outbound/send.ts'
import { type Caching, readCaching } from '../freshness.ts'
import { MOST_BYTES, notFound, type Origin, type Read, tooLarge, unavailable, type Validators } from './original.ts'

/** For the whole file. */
const DEADLINE_MS = 15_000

/** How a server is asked. */
export interface WebAccess {
  readonly send: Outbound['guardedFetch']
  /** How many are followed. */
  readonly redirects?: number | undefined
  /** Sent to the server of the first address only. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Files below a URL. */
export const webOrigin = (baseUrl: string, access: WebAccess): Origin => ({
  read(path, knownValidators, signal, query) {
    const place = baseUrl + path.map(encodeURIComponent).join('/')
    return fetchOriginal(query === undefined ? place : `${place}?${query}`, access, knownValidators, signal)
  },
})

const NOT_MODIFIED = 304
const NOT_FOUND = 404
const GONE = 410

/** One GET of a file, and of what it redirects to. @throws ApiError source_image_not_found, source_unavailable; the signal's reason */
export async function fetchOriginal(
  url: string,
  { send, redirects = 0, headers: privateHeaders }: WebAccess,
  knownValidators: Validators | undefined,
  signal: AbortSignal,
): Promise<Read> {
  const headers = {
    ...(knownValidators?.etag !== undefined && { 'if-none-match': knownValidators.etag }),
    ...(knownValidators?.lastModified !== undefined &&
      knownValidators.etag === undefined && { 'if-modified-since': knownValidators.lastModified }),
  }
  const request = { redirects, headers, privateHeaders, signal, deadlineMs: DEADLINE_MS, maxBytes: MOST_BYTES }
  try {
    const response = await followRedirects(url, send, request)
    if (response.status === 200) return await originalOf(response)
    response.discard()
    if (response.status === NOT_MODIFIED && knownValidators) return cachingOf(response)
    if (response.status === NOT_FOUND || response.status === GONE) throw notFound()
    throw unavailable(`its server answered with status ${response.status}.`)
  } catch (error) {
    if (error instanceof OutboundError) throw error.kind === 'too_large' ? tooLarge() : unavailable(error.message, error)
    throw error
  }
}

function cachingOf(response: OutboundResponse): { readonly caching?: Caching } {
  const caching = readCaching(response.header('cache-control'), response.header('age'))
  return caching ? { caching } : {}
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
    ...cachingOf(response),
    ...(etag !== null && { etag }),
    // What is no date is neither sent on nor asked for.
    ...(!Number.isNaN(modifiedCount) && { lastModified: new Date(modifiedCount).toUTCString() }),
  }
}
