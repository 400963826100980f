import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { INSTANCE_LOCK, roleOfConnection } from '../metering/instance.ts'

/** The database's data on all processes. Ages are in seconds, by its clock. */
export interface SharedState {
  readonly batches: number
  readonly imagesWaiting: number
  readonly imagesAtWork: number
  readonly batchOldestSeconds: number
  readonly batchIdleSeconds: number
  readonly webhooksWaiting: number
  readonly webhooksDue: number
  readonly webhookOldestSeconds: number
  readonly webhookLateSeconds: number
  readonly reservations: number
  readonly reservationOldestSeconds: number
  readonly migration: number
  readonly servers: readonly { readonly role: string; readonly count: number }[]
  readonly queues: readonly { readonly queue: string; readonly waiting: number; readonly oldestSeconds: number }[]
}

/** Scrapes within this time, or by several scrapers, get the last result. */
const KEEP_MS = 10_000
/** Far below the 10 s that Prometheus waits for an answer. */
const GIVE_UP_MS = 2_000
/** Maximum number of rows counted: beyond it an operator has to act anyway, and counting would not be cheap. */
const MOST_ROWS = 10_000

/** Seconds since a time, by the clock of the database; 0 if there is none. */
const age = (moment: string): string => `greatest(0, coalesce(extract(epoch from clock_timestamp() - ${moment}), 0))`

/** One statement over partial indexes, so that it stays cheap however many finished rows there are. */
const STATE = `
  with unfinished as (
    select pending, total - pending - succeeded - failed as at_work, created_at, idle_since
      from batch where finished_at is null limit ${MOST_ROWS}),
  undelivered as (
    select created_at, next_attempt_at, claimed_until from webhook_delivery where status = 'pending' limit ${MOST_ROWS}),
  reserved as (select server, at from reservation where meter = 'call' limit ${MOST_ROWS}),
  present as (
    select coalesce(a.application_name, '') as name
      from pg_locks l left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.classid = $1 and l.objsubid = 2 and l.granted
       and l.database = (select oid from pg_database where datname = current_database())),
  due as (
    select 'housekeeping' as name, count(*) as waiting, min(due_at) as since from housekeeping_job
     where due_at <= clock_timestamp() and coalesce(claimed_until <= clock_timestamp(), true)
    union all
    select 'remove-batch-files', count(*), min(at) from (select at from batch_cleanup limit ${MOST_ROWS}) files)
  select json_build_object(
    'batches', (select count(*) from unfinished),
    'imagesWaiting', (select coalesce(sum(pending), 0) from unfinished),
    'imagesAtWork', (select coalesce(sum(at_work), 0) from unfinished),
    'batchOldestSeconds', (select ${age('min(created_at)')} from unfinished where pending > 0),
    'batchIdleSeconds', (select ${age('max(idle_since)')} from unfinished),
    'webhooksWaiting', (select count(*) from undelivered),
    'webhooksDue', (select count(*) from undelivered where next_attempt_at <= clock_timestamp()),
    'webhookOldestSeconds', (select ${age('min(created_at)')} from undelivered),
    'webhookLateSeconds', (select ${age('min(next_attempt_at)')} from undelivered where coalesce(claimed_until <= clock_timestamp(), true)),
    'reservations', (select count(*) from reserved),
    'reservationOldestSeconds', (select ${age('min(at)')} from reserved where server is not null),
    'migration', (select coalesce(max(substring(name from '^\\d+')::int), 0) from kysely_migration),
    'servers', (select coalesce(json_agg(json_build_object('name', name, 'count', count)), '[]') from (select name, count(*) from present group by name) one),
    'queues', (select json_agg(json_build_object('queue', name, 'waiting', waiting, 'oldestSeconds', ${age('since')})) from due)
  ) as state`

type Answer = Omit<SharedState, 'servers'> & { readonly servers: readonly { readonly name: string; readonly count: number }[] }

async function ask(pool: pg.Pool): Promise<SharedState> {
  const { rows } = await pool.query<{ state: Answer }>(STATE, [INSTANCE_LOCK])
  const [row] = rows
  if (!row) throw new Error('the state of the service is one row')
  return {
    ...row.state,
    servers: row.state.servers.map(({ name, count }) => ({ role: roleOfConnection(name), count })),
  }
}

/** Reads it at most every ten seconds; undefined while the database does not answer, or is not connected yet. */
export function sharedState(poolOf: () => pg.Pool | undefined): () => Promise<SharedState | undefined> {
  let askedCount = Number.NEGATIVE_INFINITY
  let answer: Promise<SharedState | undefined> = Promise.resolve(undefined)
  return () => {
    const pool = poolOf()
    const now = performance.now()
    if (!pool || now - askedCount < KEEP_MS) return answer
    askedCount = now
    // Other queries log the error; here it is reported as `database_up`.
    const state = ask(pool).catch(() => undefined)
    answer = Promise.race([state, sleep(GIVE_UP_MS, undefined, { ref: false })])
    return answer
  }
}
