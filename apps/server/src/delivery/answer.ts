import type { Result } from './cache.ts'
import { acceptedHints, hintHeaders } from './client-hints.ts'
import { contentDpr } from './content-dpr.ts'
import { type Delivered, STALE_SECONDS } from './deliver.ts'

/** While an old answer is sent, caches ask again after this time. */
const STALE_MAX_AGE = 60

/** The headers of an image by URL, besides those of every answer. */
export const answerHeaders = ({ order, result, state }: Delivered): Record<string, string> => ({
  ...fixedHeaders(result),
  ...varying(order),
  ...(order.density && { 'content-dpr': contentDpr(order.density, result) }),
  'cache-control': cacheControl({ order, state }),
  'x-cache': state,
})

/** By which request headers the answer changes, and which of them are asked for. */
function varying({ chooses, hints = [], source: { clientHints } }: Delivered['order']): Record<string, string> {
  const names = [...(chooses ? ['Accept'] : []), ...(clientHints ? hintHeaders(hints) : [])]
  return { ...(names.length > 0 && { vary: names.join(', ') }), ...(clientHints && { 'accept-ch': acceptedHints }) }
}

/** Those that depend on the result alone. */
const fixedHeaders = ({ headers, etag, lastModified }: Result): Record<string, string> => ({
  ...headers,
  etag,
  'last-modified': lastModified,
  'accept-ranges': 'bytes',
  // It is derived from a file of others: a browser that opens it on this origin must not run anything.
  'content-security-policy': "default-src 'none'; sandbox",
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
})

/** No cache keeps an answer longer than its URL is valid. */
function cacheControl({ order: { source, expires }, state }: Pick<Delivered, 'order' | 'state'>): string {
  const maxAge = state === 'stale' ? STALE_MAX_AGE : source.maxAgeSeconds
  if (expires === undefined)
    return `public, max-age=${maxAge}, stale-while-revalidate=${STALE_SECONDS}, stale-if-error=${STALE_SECONDS}`
  return `public, max-age=${Math.max(0, Math.min(maxAge, expires - Math.floor(Date.now() / 1000)))}`
}

/** Whether a client has the same already: RFC 9110, §13.1.2 and §13.1.3. If-None-Match takes precedence. */
export function isNotModified(
  { result: { etag, lastModified } }: Pick<Delivered, 'result'>,
  ifNoneMatch: string | undefined,
  ifModifiedSince: string | undefined,
): boolean {
  if (ifNoneMatch !== undefined)
    return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((sentText) => sentText.trim().replace(/^W\//, '') === etag)
  return ifModifiedSince !== undefined && Date.parse(lastModified) <= Date.parse(ifModifiedSince)
}
