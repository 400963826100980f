import { z } from 'zod'

const ROWS = { max: 100, otherwise: 50 } as const
/** Number() would take 0x10 and 1e1 as well. */
const WHOLE = /^\d{1,9}$/

export const cursor = z.string().max(200).optional().describe('The nextCursor of the page before; without it, the first page.')

export const limit = z
  .string()
  .regex(WHOLE, 'Must be a whole number.')
  .transform(Number)
  .pipe(z.int().min(1).max(ROWS.max))
  .default(ROWS.otherwise)
  .describe('Rows of one page.')

export const nextCursor = z.string().nullable().describe('Send it as cursor for the next page; null when this was the last.')
