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
  .describe('The nextCursor of the page before, as it came; without it, the first page.')

export const limit = z
  .string()
  .regex(WHOLE, 'Must be a whole number.')
  .transform(Number)
  .pipe(z.int().min(1).max(ROWS.max))
  .default(ROWS.otherwise)
  .describe('Rows of one page.')

export const nextCursor = z.string().nullable().describe('Send it as cursor for the next page; null when this was the last.')
