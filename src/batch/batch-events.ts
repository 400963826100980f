import type pg from 'pg'
import type { ClaimLoop } from '../concurrency/claim-loop.ts'
import type { Database } from '../database/database.ts'
import type { AttemptSettings } from '../webhooks/attempt.ts'
import { DELIVERY_DEFAULTS, type DispatcherEvents, startDispatcher } from '../webhooks/dispatcher.ts'
import { type Batch, statusBody } from './batch.ts'
import { batchAtEvent, findBatches } from './find-batches.ts'
import { type OutageEvents, outage } from './outages.ts'

const LOOK_MS = 1_000
/** Of one account, in this process: a dashboard in some windows, and scripts. */
const MOST = 20

/** Hears of a batch as it is, once a second; of undefined when there is no such batch any more, or none can be seen. */
export type Follower = (batch: Batch | undefined) => void

/** Looks at all batches that somebody follows in one query a second, however many follow them. */
export interface BatchWatch {
  /** Returns what ends it; undefined when the account follows too many already. */
  follow(batch: Pick<Batch, 'id' | 'accountId'>, follower: Follower): (() => void) | undefined
  /** How many follow, at this process. */
  followers(): number
}

interface Following extends Pick<Batch, 'id' | 'accountId'> {
  readonly follower: Follower
}

export function watchBatches(pool: pg.Pool, onFault: (error: unknown) => void): BatchWatch {
  const all = new Set<Following>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const followed = [...all]
    // Without the database there is nothing to tell: followers are let go, and are told why when they come again.
    const found = await findBatches(pool, [...new Set(followed.map(({ id }) => id))]).catch(() => new Map<string, Batch>())
    timer = undefined
    for (const following of followed) tell(following, found.get(following.id))
    schedule()
  }
  /** One that fails is let go, and told to `onFault`: the others go on. */
  function tell(following: Following, batch: Batch | undefined): void {
    try {
      following.follower(batch)
    } catch (error) {
      all.delete(following)
      onFault(error)
    }
  }
  function schedule(): void {
    if (all.size > 0 && !timer) timer = setTimeout(() => void look(), LOOK_MS).unref()
  }
  return {
    follow({ id, accountId }, follower) {
      if ([...all].filter((other) => other.accountId === accountId).length >= MOST) return undefined
      const following = { id, accountId, follower }
      all.add(following)
      schedule()
      return () => void all.delete(following)
    },
    followers: () => all.size,
  }
}

interface EventSettings extends Pick<AttemptSettings, 'outbound' | 'userAgent'> {
  readonly database: Pick<Database, 'pool' | 'kysely'>
}

interface TellingEvents extends Pick<DispatcherEvents, 'onAttempt' | 'onFault'> {
  readonly database: OutageEvents
}

/** Tells receivers what became of batches; `data` is the status body as it was at the event. */
export function deliverEvents(settings: EventSettings, { database, ...events }: TellingEvents): ClaimLoop {
  const databaseOutage = outage(database)
  return startDispatcher(
    {
      ...DELIVERY_DEFAULTS,
      ...settings,
      dataOf: async (deliveryId) => statusBody(await batchAtEvent(settings.database.pool, deliveryId)),
    },
    { ...events, onLook: (error) => (error === undefined ? databaseOutage.worked() : databaseOutage.failed(error)) },
  )
}
