import { withRootSpan } from '@pixelmill/engine/tracing'
import { type ClaimLoop, startClaimLoop } from '../concurrency/claim-loop.ts'
import type { Database } from '../database/database.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { type AttemptSettings, attempt, notSent } from './attempt.ts'
import { type AttemptResult, type ClaimedDelivery, claimDeliveries, finishAttempt, keepBody } from './delivery.ts'
import { signingSecrets } from './signing.ts'

export interface DispatcherSettings extends AttemptSettings {
  readonly database: Pick<Database, 'pool' | 'kysely'>
  /** The `data` of a delivery's body, as of the event. */
  readonly dataOf: (deliveryId: string) => Promise<object>
  /** Attempts in progress in this process. */
  readonly atOnce: number
  /** Attempts in progress for one account, in all processes. */
  readonly perAccount: number
  /** Milliseconds between polls for due deliveries. */
  readonly everyMs: number
}

export interface DispatcherEvents {
  onAttempt(delivery: ClaimedDelivery, result: AttemptResult & { readonly reason?: string }): void
  /** Called after each claim, with the error if the query failed. */
  onLook(error?: unknown): void
  /**
   * A fault of this service prevented the attempt, and the schedule applies; or the database was unavailable, and the attempt is
   * repeated when its lease has ended.
   */
  onFault(delivery: ClaimedDelivery, error: unknown): void
}

/** 15 s by the contract, and limits for one process and one account. */
export const DELIVERY_DEFAULTS = { deadlineMs: 15_000, atOnce: 16, perAccount: 2, everyMs: 1_000 } as const

/** Delivers due webhooks, in every worker process. */
export function startDispatcher(settings: DispatcherSettings, { onAttempt, onLook, onFault }: DispatcherEvents): ClaimLoop {
  const { database, atOnce, perAccount, everyMs } = settings
  return startClaimLoop({
    atOnce,
    everyMs,
    claim: (most) => claimDeliveries(database.pool, most, perAccount),
    work(delivery) {
      const tellFault = (error: unknown) => onFault(delivery, error)
      const attemptResult = tracedDelivery(delivery, () => deliver(delivery, settings, tellFault))
      return attemptResult.then((result) => onAttempt(delivery, result), tellFault)
    },
    onLook,
  })
}

function tracedDelivery({ id, event, number }: ClaimedDelivery, deliver: () => Promise<AttemptResult>): Promise<AttemptResult> {
  const facts = {
    'pixelmill.webhook.id': id,
    'pixelmill.event': event,
    'pixelmill.attempt': number,
  }
  return withRootSpan('deliver webhook', facts, async (span) => {
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
    // The database is unavailable: the attempt is repeated when the lease has ended.
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
