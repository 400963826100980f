import type { Outbound } from '../../outbound/outbound.ts'

/**
 * An OpenAI-compatible server and how it may be reached. One sealed whole: the operator's key never meets an address that a
 * caller chose, and that address never the unguarded way.
 */
export interface ModelServer {
  /** With or without /chat/completions; a query, such as Azure's api-version, is kept. */
  readonly baseUrl: string
  readonly model: string
  /** Local servers take none. */
  readonly apiKey?: string | undefined
  /** `guardedFetch` for a caller's server, `operatorFetch` for the platform's. */
  readonly fetch: Outbound['guardedFetch']
}

const COMPLETIONS = '/chat/completions'

/** Where questions are posted; undefined if the base is no URL. */
export function completionsUrl(baseUrl: string): URL | undefined {
  const url = URL.parse(baseUrl)
  if (!url) return undefined
  const path = url.pathname.replace(/\/{1,8}$/, '')
  url.pathname = path.endsWith(COMPLETIONS) ? path : path + COMPLETIONS
  url.hash = ''
  return url
}
