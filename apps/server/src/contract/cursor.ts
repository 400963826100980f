import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { z } from 'zod'

/** The format of `writeCursor`: base64url. */
export const CURSOR = /^[A-Za-z0-9_-]+$/

/** An opaque position in a list, after the row with this key. */
export const writeCursor = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url')

/**
 * The key in a cursor; undefined for the start of the list.
 * @throws ApiError invalid_params for a cursor of another list, or a malformed one
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

/** One page of rows. Query one row more than `limit`: it shows whether there is a next page. */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => unknown) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last !== undefined ? writeCursor(keyOf(last)) : null }
}
