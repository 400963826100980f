import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { tracedRoot } from '../tracing.ts'
import { type AttemptSettings, attempt, notSent } from './attempt.ts'
import { type AttemptResult, type ClaimedDelivery, claimDeliveries, finishAttempt, keepBody } from './delivery.ts'
import { signingSecrets } from './signing.ts'

export interface DispatcherSettings extends AttemptSettings {
  readonly database: Pick<Database, 'pool' | 'kysely'>
  /** The `data` of a delivery's body, as it was at the event. */
  readonly dataOf: (deliveryId: string) => Promise<object>
  /** Attempts under way in this process. */
  readonly atOnce: number
  /** Attempts under way for one account, in all processes. */
  readonly perAccount: number
  /** Milliseconds between looks for deliveries that are due. */
  readonly everyMs: number
}

export interface DispatcherEvents {
  onAttempt(delivery: ClaimedDelivery, result: AttemptResult & { readonly reason?: string }): void
  /** After each look for deliveries: with the error when the database could not be asked. */
  onLook(error?: unknown): void
  /**
   * A fault of ours kept an attempt from being sent: the next comes by the schedule. Or the database was away: it is made
   * again when its lease has ended.
   */
  onFault(delivery: ClaimedDelivery, error: unknown): void
}

export interface Dispatcher {
  /** Begins no attempt any more, and waits for those under way. */
  close(): Promise<void>
}

/** "15 s" of the contract, and a bound for each of: a slow receiver, one account, one process. */
export const DELIVERY_DEFAULTS = { deadlineMs: 15_000, atOnce: 16, perAccount: 2, everyMs: 1_000 } as const

/**
 * Delivers what is due, in every process that works. The rows are the whole state: it looks for them, instead of being
 * told, so an event counts as soon as it is committed, and no process takes one along when it dies.
 */
export function startDispatcher(settings: DispatcherSettings, events: DispatcherEvents): Dispatcher {
  const { database, atOnce, perAccount, everyMs } = settings
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<void>>()

  const begin = (delivery: ClaimedDelivery) => {
    const onFault = (error: unknown) => events.onFault(delivery, error)
    const run = tracedDelivery(delivery, () => deliver(delivery, settings, onFault))
      .then((result) => events.onAttempt(delivery, result), onFault)
      .finally(() => underWay.delete(run))
    underWay.add(run)
  }
  /** Whether there was anything. */
  const look = async (): Promise<boolean> => {
    const free = atOnce - underWay.size
    if (free === 0) return false
    const claimed = await claimDeliveries(database.pool, free, perAccount)
    for (const delivery of claimed) begin(delivery)
    return claimed.length > 0
  }
  const repeat = async () => {
    while (!signal.aborted) {
      const found = await look().then(
        (any) => {
          events.onLook()
          return any
        },
        (error: unknown) => {
          events.onLook(error)
          return false
        },
      )
      // An attempt that ends may make room for the next of its account.
      const pause = sleep(everyMs, undefined, { signal }).catch(() => {})
      if (!found) await Promise.race([pause, ...underWay])
    }
  }
  const running = repeat()
  return {
    async close() {
      stopping.abort()
      await running
      await Promise.all(underWay)
    },
  }
}

function tracedDelivery({ id, event, number }: ClaimedDelivery, deliver: () => Promise<AttemptResult>): Promise<AttemptResult> {
  const facts = {
    'pixelmill.webhook.id': id,
    'pixelmill.event': event,
    'pixelmill.attempt': number,
  }
  return tracedRoot('deliver webhook', facts, async (span) => {
    const result = await deliver()
    span?.setAttributes({ 'pixelmill.outcome': result.outcome.status, 'http.response.status_code': result.status })
    return result
  })
}

async function deliver(
  delivery: ClaimedDelivery,
  settings: DispatcherSettings,
  onFault: (error: unknown) => void,
): Promise<AttemptResult> {
  const result = await send(delivery, settings).catch((error: unknown) => {
    // Of a database that is away nothing is known but that it comes back: the lease is wait enough.
    if (isUnavailable(error)) throw error
    onFault(error)
    return notSent(delivery)
  })
  await finishAttempt(settings.database.pool, delivery, result)
  return result
}

async function send(delivery: ClaimedDelivery, settings: DispatcherSettings): Promise<AttemptResult> {
  const { pool, kysely } = settings.database
  const body = delivery.body ?? (await keepBody(pool, delivery.id, await firstBody(delivery, settings)))
  const secrets = await signingSecrets(kysely, delivery.accountId)
  return attempt({ ...delivery, body, secrets }, settings)
}

async function firstBody({ id, event, createdAt }: ClaimedDelivery, { dataOf }: DispatcherSettings): Promise<string> {
  return JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: await dataOf(id) })
}
