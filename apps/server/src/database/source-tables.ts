import type { Generated, JSONColumnType } from 'kysely'

/** A place from which images are delivered. */
export interface SourceTable {
  /** Unique on the server, since it is part of URLs. */
  name: string
  account_id: string
  place: JSONColumnType<object, string, string>
  /** Seconds. */
  max_age: number
  unsigned: boolean
  client_hints: Generated<boolean>
  cache_control: Generated<'own' | 'follow'>
  /** Percent-encoded, as in URLs. */
  fallback: string | null
  svg: Generated<'refuse' | 'pass' | 'rasterize'>
  /** base64url. */
  secret: string
  previous_secret: string | null
  generation: number
  updated_at: Generated<Date>
}

/** A path of a source that was purged. */
export interface SourcePurgeTable {
  source: string
  path: string
  generation: number
}

/** What was delivered from a source on a UTC day. */
export interface SourceDayTable {
  account_id: string
  source: string
  day: string
  hits: Generated<number>
  misses: Generated<number>
  bytes: Generated<number>
}

/** One row: the number of the latest change of any source. */
export interface SourceChangeTable {
  only_row: Generated<true>
  version: number
}
