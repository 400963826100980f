import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { type Counted, clientNetwork, guess, refuseUntil, windowsOf } from './throttle.ts'

/** Checks a few guesses at once in this process; the rest wait in a queue, in turns of the networks of their clients. */
export type GuessQueue = <Result>(address: string, work: () => Promise<Result>) => Promise<Result>

/** How often to poll for the outcome of guesses that other servers are checking, and for how long. */
const POLL_MS = 20
const MOST_WAIT_MS = 10_000

/** A password for an e-mail address, from the address of a client. */
export interface Guess {
  readonly email: string
  readonly address: string
}

/**
 * Calls `check` for a guess when the queue reaches it. The guess is counted as wrong before it is checked, so that of fifty at once
 * no more are checked than may be wrong. A right guess is no longer counted, nor are the errors before it on the first throttle. A
 * guess that could not be checked is not counted.
 * @throws ApiError rate_limited, server_busy; whatever `check` throws
 */
export async function limitGuesses<Result>(
  db: Kysely<Schema>,
  queue: GuessQueue,
  { email, address }: Guess,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const windows = guess(email, address, await isKnownPlace(db, email, address))
  // Before the queue: guesses that are refused anyway must not take its places.
  const { rows } = await sql<{ wait: number | null }>`select throttle_wait(${windowsOf(windows)}) as wait`.execute(db)
  refuseUntil(rows[0]?.wait)
  return queue(address, async () => {
    const begunAt = await begin(db, windows)
    const keys = windows.map(({ key }) => key)
    const end = (outcome: 'right' | 'wrong' | 'unjudged') => sql`select end_guess(${keys}, ${begunAt}, ${outcome})`.execute(db)
    const result = await check().catch(async (error: unknown) => {
      await end('unjudged')
      throw error
    })
    await end(result === undefined ? 'wrong' : 'right')
    if (result !== undefined) await rememberPlace(db, email, address)
    return result
  })
}

/** Counts a guess. Returns when its check began, to the microsecond, by the database's clock. */
async function begin(db: Kysely<Schema>, windows: readonly Counted[]): Promise<string> {
  for (let waitedMs = 0; waitedMs < MOST_WAIT_MS; waitedMs += POLL_MS) {
    // As text: a Date would cut the microseconds off.
    const { rows } = await sql<{ retry_seconds: number | null; begun_at: string | null }>`
      select retry_seconds, begun_at::text from begin_guess(${windowsOf(windows)}, ${limits.guessSeconds})`.execute(db)
    const [row] = rows
    if (row?.begun_at) return row.begun_at
    refuseUntil(row?.retry_seconds)
    await sleep(POLL_MS)
  }
  throw new ApiError('server_busy', { retryAfterSeconds: 1 })
}

/** As long as a login token is valid. */
const KNOWN_DAYS = 30

/** The hash of an e-mail address and a network: the table does not reveal who signed in where. */
const keyOf = (email: string, address: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(['place', email, clientNetwork(address)]))
    .digest()

/** Whether a user has signed in to this address from this network within 30 days. */
export async function isKnownPlace(db: Kysely<Schema>, email: string, address: string): Promise<boolean> {
  const place = db.selectFrom('known_place').select('key').where('key', '=', keyOf(email, address))
  return (await place.where('expires_at', '>', sql<Date>`now()`).executeTakeFirst()) !== undefined
}

/** Call it after a sign-in with the right password, or a sign-up. */
export async function rememberPlace(db: Kysely<Schema>, email: string, address: string): Promise<void> {
  await sql`
    insert into known_place as p (key, expires_at) values (${keyOf(email, address)}, now() + make_interval(days => ${KNOWN_DAYS}))
    on conflict (key) do update set expires_at = excluded.expires_at
      -- At most one write a day: some programs sign in for each call.
      where p.expires_at < excluded.expires_at - interval '1 day'`.execute(db)
}

/** Deletes expired rows in batches; returns how many. */
export async function forgetOldPlaces(db: Kysely<Schema>): Promise<number> {
  const old = sql<Buffer>`(select key from known_place where expires_at < now() limit 10000 for update skip locked)`
  const { numDeletedRows } = await db.deleteFrom('known_place').where('key', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
