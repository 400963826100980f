import type { Result } from './cache.ts'
import { acceptedHints, hintHeaders } from './client-hints.ts'
import { contentDpr } from './content-dpr.ts'
import type { Delivered } from './deliver.ts'
import { sentCacheControl } from './freshness.ts'

/** While an old answer or a fallback is sent, caches ask again after this time. */
const SHORT_MAX_AGE = 60

/** The headers of an image by URL, besides those of every answer. */
export const answerHeaders = ({ order, result, state, fallbackFor }: Delivered): Record<string, string> => ({
  ...fixedHeaders(result),
  ...varying(order),
  ...(order.density && { 'content-dpr': contentDpr(order.density, result) }),
  'cache-control': cacheControl({ order, result, state, fallbackFor }),
  'x-cache': state,
  ...(fallbackFor && { 'x-fallback': fallbackFor }),
})

/** By which request headers the answer changes, and which of them are asked for. */
function varying({ chooses, hints = [], source: { clientHints } }: Delivered['order']): Record<string, string> {
  const names = [...(chooses ? ['Accept'] : []), ...(clientHints ? hintHeaders(hints) : [])]
  return { ...(names.length > 0 && { vary: names.join(', ') }), ...(clientHints && { 'accept-ch': acceptedHints }) }
}

/** Those that depend on the result alone. */
const fixedHeaders = ({ headers, etag, lastModified }: Result): Record<string, string> => ({
  // It is derived from a file of others: a browser that opens it on this origin must not run anything.
  'content-security-policy': "default-src 'none'; sandbox",
  ...headers,
  etag,
  'last-modified': lastModified,
  'accept-ranges': 'bytes',
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
})

/** No cache keeps an answer longer than its URL is valid. */
function cacheControl({ order: { source, expires }, result, state, fallbackFor }: CacheFacts): string {
  const instead = state === 'stale' || fallbackFor !== undefined ? SHORT_MAX_AGE : undefined
  const most = expires === undefined ? Number.POSITIVE_INFINITY : Math.max(0, expires - Math.floor(Date.now() / 1000))
  return sentCacheControl(result, source, {
    instead,
    most,
    mayBeStale: expires === undefined && fallbackFor === undefined,
  })
}

type CacheFacts = Pick<Delivered, 'order' | 'result' | 'state'> & { readonly fallbackFor: Delivered['fallbackFor'] }

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
