import type { z } from 'zod'
import { invalidParam } from './api-error.ts'

/** What `writeCursor` writes: base64url. */
export const CURSOR = /^[A-Za-z0-9_-]+$/

/** A place in a list, after the row that has this key. Clients hand it back as it is. */
export const writeCursor = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url')

/**
 * The key that a cursor stands for; undefined for the start of the list.
 * @throws ApiError invalid_params for what is no cursor of this list
 */
export function readCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.output<Key> | undefined {
  if (cursor === undefined) return undefined
  const result = key.safeParse(parse(cursor))
  if (result.success) return result.data
  throw invalidParam('cursor', 'invalid_format', 'Send the nextCursor of the page before, as it came.')
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** One page of rows that were asked for with one more than `limit`: that one tells whether there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => unknown) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? writeCursor(keyOf(last)) : null }
}
