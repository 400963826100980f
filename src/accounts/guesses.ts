import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { isKnownPlace, rememberPlace } from './known-places.ts'
import { type Counted, guess, refuseUntil, windowsOf } from './throttle.ts'

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
