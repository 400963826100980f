import type pg from 'pg'

/** A delivery that this process has claimed for one attempt. */
export interface ClaimedDelivery {
  /** The webhook-id. */
  readonly id: string
  readonly accountId: string
  readonly event: string
  readonly url: string
  /** What earlier attempts sent; null at the first. */
  readonly body: string | null
  /** Of the event. */
  readonly createdAt: Date
  /** Of the attempt, from 1. */
  readonly number: number
  readonly at: Date
  /** Seconds between the first attempt and this one. */
  readonly sinceFirst: number
}

/** Result of an attempt. */
export interface AttemptResult {
  readonly durationMs: number
  /** Undefined when there was no answer. */
  readonly status?: number
  /** For the caller, without details of the network. */
  readonly error?: string
  readonly outcome: Outcome
}

/** `pending`: retried after `afterSeconds`. */
export type Outcome =
  | { readonly status: 'delivered' | 'failed' | 'stopped' }
  | { readonly status: 'pending'; readonly afterSeconds: number }

/** How long a process that died holds its delivery: well beyond the deadline of an attempt. */
const LEASE = '60 seconds'

/** Claims deliveries that are due: at most one of each account, none of an account with `perAccount` in progress. */
export async function claimDeliveries(pool: pg.Pool, most: number, perAccount: number): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>(
    `select id, account_id as "accountId", event, url, body, created_at as "createdAt", number, at, since_first as "sinceFirst"
       from claim_webhook_deliveries($1, $2, $3)`,
    [most, perAccount, LEASE],
  )
  return rows
}

/** Stores the body, which every attempt sends; returns the stored one if there is one already. */
export async function keepBody(pool: pg.Pool, id: string, body: string): Promise<string> {
  const { rows } = await pool.query<{ body: string }>(
    'update webhook_delivery set body = coalesce(body, $2) where id = $1 returning body',
    [id, body],
  )
  return rows[0]?.body ?? body
}

export async function finishAttempt(
  pool: pg.Pool,
  { id, number }: Pick<ClaimedDelivery, 'id' | 'number'>,
  { durationMs, status, error, outcome }: AttemptResult,
): Promise<void> {
  const wait = outcome.status === 'pending' ? `${outcome.afterSeconds} seconds` : null
  await pool.query('select finish_webhook_attempt($1, $2, $3, $4::smallint, $5, $6, $7)', [
    id,
    number,
    durationMs,
    status ?? null,
    error ?? null,
    outcome.status,
    wait,
  ])
}

/** Rows in one transaction, so that none is long. */
const SLICE = 1_000

/** Deletes deliveries of events more than 30 days ago, with their attempts; returns how many. */
export async function forgetOldDeliveries(pool: pg.Pool): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await pool.query(
      `delete from webhook_delivery where id = any(array(
         select id from webhook_delivery where created_at < clock_timestamp() - interval '30 days' limit ${SLICE}))`,
    )
    total += rowCount ?? 0
    if ((rowCount ?? 0) < SLICE) return total
  }
}
