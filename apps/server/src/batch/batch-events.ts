import type pg from 'pg'
import type { ClaimLoop } from '../concurrency/claim-loop.ts'
import { type OutageEvents, outage } from '../concurrency/outage.ts'
import type { Database } from '../database/database.ts'
import type { AttemptSettings } from '../webhooks/attempt.ts'
import { DELIVERY_DEFAULTS, type DispatcherEvents, startDispatcher } from '../webhooks/dispatcher.ts'
import { type Batch, statusBody } from './batch.ts'
import { batchAtEvent, findBatches } from './find-batches.ts'

const POLL_MS = 1_000
/** Followers of one account in this process: enough for a dashboard in several windows, and scripts. */
const MOST = 20

/** Gets the current batch once a second; undefined if it no longer exists, or the database is unavailable. */
type Follower = (batch: Batch | undefined) => void

/** Polls all followed batches with one query a second, however many followers there are. */
export interface BatchWatch {
  /** Returns a function that ends it; undefined if the account has too many followers already. */
  follow(batch: Pick<Batch, 'id' | 'accountId'>, follower: Follower): (() => void) | undefined
  /** Number of followers in this process. */
  followers(): number
}

interface Following extends Pick<Batch, 'id' | 'accountId'> {
  readonly follower: Follower
}

export function watchBatches(pool: pg.Pool, onFault: (error: unknown) => void): BatchWatch {
  const all = new Set<Following>()
  let timer: NodeJS.Timeout | undefined

  async function poll(): Promise<void> {
    const followings = [...all]
    // If the database is unavailable, followers are disconnected, and get the error when they reconnect.
    const followedBatches = await findBatches(pool, [...new Set(followings.map(({ id }) => id))]).catch(
      () => new Map<string, Batch>(),
    )
    timer = undefined
    for (const following of followings) notify(following, followedBatches.get(following.id))
    schedule()
  }
  /** Removes a follower that throws, and reports the error; the others continue. */
  function notify(following: Following, batch: Batch | undefined): void {
    try {
      following.follower(batch)
    } catch (error) {
      all.delete(following)
      onFault(error)
    }
  }
  function schedule(): void {
    if (all.size > 0 && !timer) timer = setTimeout(() => void poll(), POLL_MS).unref()
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

interface DeliverySettings extends Pick<AttemptSettings, 'outbound' | 'userAgent'> {
  readonly database: Pick<Database, 'pool' | 'kysely'>
}

interface DeliveryEvents extends Pick<DispatcherEvents, 'onAttempt' | 'onFault'> {
  readonly database: OutageEvents
}

/** Delivers webhooks about batches; `data` is the status body at the time of the event. */
export function deliverEvents(settings: DeliverySettings, { database, ...events }: DeliveryEvents): ClaimLoop {
  const databaseOutage = outage(database)
  return startDispatcher(
    {
      ...DELIVERY_DEFAULTS,
      ...settings,
      dataOf: async (deliveryId) => statusBody(await batchAtEvent(settings.database.pool, deliveryId)),
    },
    { ...events, onLook: databaseOutage.report },
  )
}
