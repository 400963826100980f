import { z } from 'zod'
import { CURSOR } from '../contract/cursor.ts'

const ROWS = { max: 100, otherwise: 50 } as const
/** Number() would accept 0x10 and 1e1 as well. */
const WHOLE = /^\d{1,9}$/

export const cursor = z
  .string()
  .min(1)
  .max(200)
  .regex(CURSOR, 'Send the nextCursor of the page before, as it came.')
  .optional()
  .describe('The nextCursor of the previous page; omit it for the first page.')

export const limit = z
  .string()
  .regex(WHOLE, 'Must be a whole number.')
  .transform(Number)
  .pipe(z.int().min(1).max(ROWS.max))
  .default(ROWS.otherwise)
  .describe('Number of rows in a page.')

export const nextCursor = z.string().nullable().describe('Send it as cursor to get the next page; null on the last page.')
