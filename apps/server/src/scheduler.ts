import type pg from 'pg'
import { type ClaimLoop, startClaimLoop } from './concurrency/claim-loop.ts'
import { outage } from './concurrency/outage.ts'
import type { Log } from './log.ts'
import type { Services } from './services.ts'

/** A periodic job. Each run finds its work itself, independent of previous runs. */
export interface Job {
  readonly schedule: Schedule
  /** Also run by each process as it starts, before it listens. */
  readonly beforeListening?: boolean
  run(services: Services, log: Log): Promise<void>
}

/** Due every this many seconds since 1970, plus an offset. */
interface Schedule {
  readonly everySeconds: number
  readonly offsetSeconds: number
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

export const everyMinute: Schedule = { everySeconds: MINUTE, offsetSeconds: 0 }
export const hourlyAt = (minute: number): Schedule => ({ everySeconds: HOUR, offsetSeconds: minute * MINUTE })
/** In UTC. */
export const dailyAt = (hour: number, minute: number): Schedule => ({
  everySeconds: DAY,
  offsetSeconds: hour * HOUR + minute * MINUTE,
})

export type JobTable = Readonly<Record<string, Job>>

const LOOK_MS = 5_000
/** How long a claim of a job whose process died lasts; it may run again when it is next due. */
const LEASE_SECONDS = 30
const RENEW_MS = 10_000

/**
 * Schedules the jobs, and runs those that are due in this process, one after the other. Of all processes exactly one runs a job
 * each time it is due; an overdue job, because no process was running, is run once.
 */
export async function startJobs(table: JobTable, services: Services, log: Log): Promise<ClaimLoop> {
  const { pool } = services.database
  await planJobs(pool, table)
  const database = outage({
    onBegin: (error) => log.warn({ err: error }, 'housekeeping waits for the database'),
    onEnd: () => log.info('the database works: housekeeping goes on'),
  })
  return startClaimLoop({
    atOnce: 1,
    everyMs: LOOK_MS,
    claim: () => claimDueJob(pool, table),
    async work(claim) {
      const job = table[claim.name]
      if (!job) throw new Error(`${claim.name} was claimed, and is not in the table of jobs`)
      await holding(pool, claim, log, () => run(claim.name, job, services, log))
    },
    onLook: database.report,
  })
}

/** Runs the jobs that precede listening. */
export async function runFirst(table: JobTable, services: Services, log: Log): Promise<void> {
  const first = Object.entries(table).filter(([, { beforeListening }]) => beforeListening)
  await Promise.all(first.map(([name, job]) => run(name, job, services, log)))
}

/** A failed run is logged and counted; the next one follows as scheduled. */
async function run(name: string, job: Job, services: Services, log: Log): Promise<void> {
  try {
    await job.run(services, log)
    services.metrics.onJobDone(name)
  } catch (error) {
    services.metrics.onJobFailed(name)
    log.error({ err: error, job: name }, 'a job failed')
  }
}

/** When each of the jobs in $1, with its period $2 and offset $3, is due next. */
const KNOWN_JOBS = `
  select name, to_timestamp((floor((extract(epoch from clock_timestamp()) - start) / period) + 1) * period + start) as next
    from unnest($1::text[], $2::int[], $3::int[]) as t (name, period, start)`

const parametersOf = (table: JobTable): readonly unknown[] => {
  const schedules = Object.values(table).map(({ schedule }) => schedule)
  return [
    Object.keys(table),
    schedules.map(({ everySeconds }) => everySeconds),
    schedules.map(({ offsetSeconds }) => offsetSeconds),
  ]
}

async function planJobs(pool: pg.Pool, table: JobTable): Promise<void> {
  await pool.query(
    `insert into housekeeping_job as j (name, due_at) select name, next from (${KNOWN_JOBS}) known order by name
     on conflict (name) do update set due_at = excluded.due_at where excluded.due_at < j.due_at`,
    [...parametersOf(table)],
  )
  // Processes of a newer version that shares the database run their own jobs; jobs that only older versions have are not run any
  // more.
  await pool.query(`delete from housekeeping_job where name <> all($1) and due_at < clock_timestamp() - interval '2 days'`, [
    Object.keys(table),
  ])
}

interface Claim {
  readonly name: string
  readonly run: number
}

async function claimDueJob(pool: pg.Pool, table: JobTable): Promise<readonly Claim[]> {
  const { rows } = await pool.query<Claim>(
    `with due as (
       select j.name, known.next from housekeeping_job j join (${KNOWN_JOBS}) known on known.name = j.name
        where j.due_at <= clock_timestamp() and (j.claimed_until is null or j.claimed_until <= clock_timestamp())
        order by j.due_at limit 1 for update of j skip locked)
     update housekeeping_job j
        set runs = j.runs + 1, due_at = due.next, claimed_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
       from due where j.name = due.name
     returning j.name, j.runs as run`,
    [...parametersOf(table)],
  )
  return rows
}

/** Renews the lease of a claim while the job runs, and ends it afterwards. Without the database it expires. */
async function holding(pool: pg.Pool, { name, run: number }: Claim, log: Log, work: () => Promise<void>): Promise<void> {
  const lease = (until: string) =>
    pool
      .query(`update housekeeping_job set claimed_until = ${until} where name = $1 and runs = $2`, [name, number])
      .catch((error: unknown) => log.warn({ err: error, job: name }, 'the lease of a job could not be written'))
  let renewal: Promise<unknown> = Promise.resolve()
  const renewing = setInterval(() => {
    renewal = lease(`clock_timestamp() + interval '${LEASE_SECONDS} seconds'`)
  }, RENEW_MS)
  try {
    await work()
  } finally {
    clearInterval(renewing)
    // On another connection it might arrive after the end, and block the job for another lease.
    await renewal
    await lease('null')
  }
}

/** Whether the table of jobs can be read. @throws the database's error */
export async function checkJobs(pool: pg.Pool): Promise<void> {
  await pool.query('select from housekeeping_job limit 1')
}
