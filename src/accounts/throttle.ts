import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { clientNetwork } from './client-network.ts'

const QUARTER_HOUR = 15 * 60
const HOUR = 60 * 60

/** How often something may be tried: at most `attempts` in any `seconds`. docs/security.md tells why each is there. */
export const throttles = {
  /** Wrong passwords for one e-mail address from one network: a person's errors, or one guesser. A right one starts anew. */
  signInHere: { attempts: 10, seconds: QUARTER_HOUR },
  /** Wrong passwords from one network, whoever is guessed at. */
  signInFrom: { attempts: 100, seconds: QUARTER_HOUR },
  /** Wrong passwords for one e-mail address, whatever the network: guessers that share the work. */
  signInAs: { attempts: 100, seconds: QUARTER_HOUR },
  /** Sign-ups and changes of e-mail from one network: both tell whether an address is taken. */
  newEmailFrom: { attempts: 200, seconds: HOUR },
  /** Checkouts of one account: each is a session at Stripe, which takes 100 requests a second from all of us. */
  checkoutBy: { attempts: 30, seconds: HOUR },
} as const

type Throttle = keyof typeof throttles

/** What is counted where, such as wrong passwords for this address. */
export interface Counted {
  readonly throttle: Throttle
  readonly key: Buffer
}

const count = (throttle: Throttle, ...subject: readonly string[]): Counted => ({
  throttle,
  key: createHash('sha256')
    .update(JSON.stringify([throttle, ...subject]))
    .digest(),
})

/** A password for an e-mail address, from the address of a client. */
export const guess = (email: string, address: string): readonly Counted[] => {
  const network = clientNetwork(address)
  return [count('signInHere', email, network), count('signInFrom', network), count('signInAs', email)]
}

/** An e-mail address that may be taken, from the address of a client. */
export const newEmail = (address: string): readonly Counted[] => [count('newEmailFrom', clientNetwork(address))]

/** A purchase that an account begins. */
export const checkoutOf = (accountId: string): readonly Counted[] => [count('checkoutBy', accountId)]

/**
 * Counts an attempt on all of these throttles, or on none; returns when, to the microsecond, by the database's clock.
 * @throws ApiError rate_limited, with the seconds until there is room on each
 */
export async function takeAttempt(db: Kysely<Schema>, counted: readonly Counted[]): Promise<string> {
  const keys = counted.map(({ key }) => key)
  const rows = counted.map(({ throttle }) => throttles[throttle])
  const [attempts, seconds] = [rows.map((row) => row.attempts), rows.map((row) => row.seconds)]
  // As text: a Date would cut the microseconds off.
  const { rows: taken } = await sql<{ retry_seconds: number | null; taken_at: string | null }>`
    select retry_seconds, taken_at::text from take_attempt(${keys}, ${attempts}, ${seconds})`.execute(db)
  const [row] = taken
  if (row?.taken_at) return row.taken_at
  throw new ApiError('rate_limited', { retryAfterSeconds: row?.retry_seconds ?? 1 })
}

/**
 * Lets `judge` look at a guess, which has been counted by then: of fifty at once, no more are judged than may be wrong.
 * A right one counts no longer, nor do the errors before it on the first throttle; one that could not be judged neither.
 * @throws ApiError rate_limited; whatever `judge` throws
 */
export async function limitGuesses<Result>(
  db: Kysely<Schema>,
  counted: readonly Counted[],
  judge: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const takenAt = await takeAttempt(db, counted)
  const keys = counted.map(({ key }) => key)
  const forget = (cleared: Buffer | undefined) => sql`select forget_attempt(${keys}, ${cleared ?? null}, ${takenAt})`.execute(db)
  const judged = await judge().catch(async (error: unknown) => {
    await forget(undefined)
    throw error
  })
  if (judged !== undefined) await forget(keys[0])
  return judged
}

/** Removes what counts no longer, a slice at a time; returns how many rows went. */
export async function forgetOldAttempts(db: Kysely<Schema>): Promise<number> {
  const old = sql<Buffer>`(select key from throttle where expires_at < clock_timestamp() limit 10000 for update skip locked)`
  const { numDeletedRows } = await db.deleteFrom('throttle').where('key', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
