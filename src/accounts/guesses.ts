import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { type Counted, clientNetwork, guess, refuseUntil, windowsOf } from './throttle.ts'

/** A few guesses are judged at once in this process, the rest wait in line. */
export type Line = <Result>(work: () => Promise<Result>) => Promise<Result>

/** How often it is asked whether those that other servers judge were right, and for how long. */
const ASK_AGAIN_MS = 20
const PATIENCE_MS = 10_000

/** A password for an e-mail address, from the address of a client. */
export interface Guess {
  readonly email: string
  readonly address: string
}

/**
 * Lets `judge` look at a guess when its turn comes. It counts as one that may be wrong before it is judged: of fifty at once,
 * no more are judged than may be wrong; and as soon as one was right it counts no longer, nor do the errors before it on the
 * first throttle. One that could not be judged does not count.
 * @throws ApiError rate_limited, server_busy; whatever `judge` throws
 */
export async function limitGuesses<Result>(
  db: Kysely<Schema>,
  line: Line,
  { email, address }: Guess,
  judge: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const counted = guess(email, address, await isKnownPlace(db, email, address))
  // Before the line: a guesser who is refused anyway must not fill it for others.
  const { rows } = await sql<{ wait: number | null }>`select throttle_wait(${windowsOf(counted)}) as wait`.execute(db)
  refuseUntil(rows[0]?.wait)
  return line(async () => {
    const begunAt = await begin(db, counted)
    const keys = counted.map(({ key }) => key)
    const end = (outcome: 'right' | 'wrong' | 'unjudged') => sql`select end_guess(${keys}, ${begunAt}, ${outcome})`.execute(db)
    const judged = await judge().catch(async (error: unknown) => {
      await end('unjudged')
      throw error
    })
    await end(judged === undefined ? 'wrong' : 'right')
    if (judged !== undefined) await rememberPlace(db, email, address)
    return judged
  })
}

/** Returns when it began, to the microsecond, by the database's clock. */
async function begin(db: Kysely<Schema>, counted: readonly Counted[]): Promise<string> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += ASK_AGAIN_MS) {
    // As text: a Date would cut the microseconds off.
    const { rows } = await sql<{ retry_seconds: number | null; begun_at: string | null }>`
      select retry_seconds, begun_at::text from begin_guess(${windowsOf(counted)})`.execute(db)
    const [row] = rows
    if (row?.begun_at) return row.begun_at
    refuseUntil(row?.retry_seconds)
    await sleep(ASK_AGAIN_MS)
  }
  throw new ApiError('server_busy', { retryAfterSeconds: 1 })
}

/** As long as a login token lives: who comes back within that time is a regular. */
const KNOWN_DAYS = 30

/** An e-mail address and a network; only as a hash, so that the table does not tell who was where. */
const keyOf = (email: string, address: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(['place', email, clientNetwork(address)]))
    .digest()

/** Whether somebody with the right password has been here within 30 days. */
export async function isKnownPlace(db: Kysely<Schema>, email: string, address: string): Promise<boolean> {
  const place = db.selectFrom('known_place').select('key').where('key', '=', keyOf(email, address))
  return (await place.where('expires_at', '>', sql<Date>`now()`).executeTakeFirst()) !== undefined
}

/** The password was right, or the account was made here. */
export async function rememberPlace(db: Kysely<Schema>, email: string, address: string): Promise<void> {
  await sql`
    insert into known_place as p (key, expires_at) values (${keyOf(email, address)}, now() + make_interval(days => ${KNOWN_DAYS}))
    on conflict (key) do update set expires_at = excluded.expires_at
      -- A program that signs in for each call need not write each time.
      where p.expires_at < excluded.expires_at - interval '1 day'`.execute(db)
}

/** Removes those of whom nobody came back, a slice at a time; returns how many rows went. */
export async function forgetOldPlaces(db: Kysely<Schema>): Promise<number> {
  const old = sql<Buffer>`(select key from known_place where expires_at < now() limit 10000 for update skip locked)`
  const { numDeletedRows } = await db.deleteFrom('known_place').where('key', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
