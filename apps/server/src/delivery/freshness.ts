import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import type { Source } from './source.ts'

/** What an origin's Cache-Control says of a file (RFC 9111, §5.2.2), in seconds less the Age that it had. */
export const caching = z.object({
  /** Who may keep it: private leaves it to the client. */
  keeps: z.enum(['anyone', 'client', 'nobody']),
  maxAge: z.int().optional(),
  sharedMaxAge: z.int().optional(),
  whileRevalidate: z.int().optional(),
  mustRevalidate: z.boolean(),
})
export type Caching = z.output<typeof caching>

/** Undefined for an origin that says nothing. */
export function readCaching(cacheControl: string | null, age: string | null): Caching | undefined {
  if (cacheControl === null) return undefined
  const directives = directivesOf(cacheControl)
  const ageSeconds = secondsOf(age ?? undefined) ?? 0
  const left = (name: string) => {
    const seconds = secondsOf(directives.get(name))
    return seconds === undefined ? undefined : Math.max(0, seconds - ageSeconds)
  }
  const mustAsk = directives.has('no-cache')
  const [maxAge, sharedMaxAge] = mustAsk ? [0, undefined] : [left('max-age'), left('s-maxage')]
  const whileRevalidate = secondsOf(directives.get('stale-while-revalidate'))
  return {
    keeps: directives.has('no-store') ? 'nobody' : directives.has('private') ? 'client' : 'anyone',
    ...(maxAge !== undefined && { maxAge }),
    ...(sharedMaxAge !== undefined && { sharedMaxAge }),
    ...(whileRevalidate !== undefined && { whileRevalidate }),
    mustRevalidate: mustAsk || directives.has('must-revalidate') || directives.has('proxy-revalidate'),
  }
}

/** Directives by their names in lower case; of one that is repeated the first counts. */
function directivesOf(header: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>()
  for (const [, name = '', quotedText, token = ''] of header.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g)) {
    const key = name.toLowerCase()
    if (!directives.has(key)) directives.set(key, quotedText ?? token)
  }
  return directives
}

/** Whole seconds, at most what a source may name; undefined for what is no number. */
const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), limits.delivery.maxAge.max) : undefined

/** For how long an answer that is no longer fresh is sent while its original is read again: also in Cache-Control. */
export const STALE_SECONDS = 86_400

/** How a result of a source is kept and sent. */
export interface Freshness {
  readonly keeps: Caching['keeps']
  /** For how long this server does not ask the origin. */
  readonly seconds: number
  /** For how long after that an old result is sent while the origin is asked. */
  readonly staleSeconds: number
  /** Whether an old result is sent where the origin cannot be asked. */
  readonly afterErrors: boolean
}

type CachedFacts = { readonly caching?: Caching | undefined }
type CacheSettings = Pick<Source, 'cacheControl' | 'maxAgeSeconds'>

export function freshnessOf(result: CachedFacts, source: CacheSettings): Freshness {
  const policy = originPolicy(result, source)
  if (!policy) return { keeps: 'anyone', seconds: source.maxAgeSeconds, staleSeconds: STALE_SECONDS, afterErrors: true }
  const isKept = policy.keeps === 'anyone'
  return {
    keeps: policy.keeps,
    seconds: isKept ? (policy.sharedMaxAge ?? policy.maxAge ?? source.maxAgeSeconds) : 0,
    staleSeconds: isKept && !policy.mustRevalidate ? (policy.whileRevalidate ?? 0) : 0,
    afterErrors: isKept && !policy.mustRevalidate,
  }
}

export const isFresh = (result: CachedFacts & { readonly checkedAt: number }, source: CacheSettings, extraSeconds = 0): boolean =>
  Date.now() - result.checkedAt < (freshnessOf(result, source).seconds + extraSeconds) * 1000

/** What changes the time for which an answer may be kept, in seconds. */
export interface Keeping {
  /** In place of the time that the source or its origin says. */
  readonly instead?: number | undefined
  /** For how long the URL is valid yet. */
  readonly most: number
  /** Whether it may also be used for a while after its time. */
  readonly mayBeStale: boolean
}

/** The header Cache-Control of an answer. */
export function sentCacheControl(result: CachedFacts, source: CacheSettings, { instead, most, mayBeStale }: Keeping): string {
  const policy = originPolicy(result, source)
  const time = (seconds: number) => Math.min(instead ?? seconds, most)
  if (!policy) {
    const stale = mayBeStale ? `, stale-while-revalidate=${STALE_SECONDS}, stale-if-error=${STALE_SECONDS}` : ''
    return `public, max-age=${time(source.maxAgeSeconds)}${stale}`
  }
  if (policy.keeps === 'nobody') return 'no-store'
  const isPublic = policy.keeps === 'anyone'
  const { maxAge = isPublic ? source.maxAgeSeconds : 0, sharedMaxAge, whileRevalidate, mustRevalidate } = policy
  const parts = [isPublic ? 'public' : 'private', `max-age=${time(maxAge)}`]
  if (isPublic && sharedMaxAge !== undefined) parts.push(`s-maxage=${time(sharedMaxAge)}`)
  if (mustRevalidate) parts.push('must-revalidate')
  else if (mayBeStale && whileRevalidate !== undefined) parts.push(`stale-while-revalidate=${whileRevalidate}`)
  return parts.join(', ')
}

const originPolicy = ({ caching }: CachedFacts, { cacheControl }: CacheSettings): Caching | undefined =>
  cacheControl === 'follow' ? caching : undefined
