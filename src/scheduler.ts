import type { Log } from './log.ts'
import type { Services } from './services.ts'

/** Housekeeping. Each run finds what is to be done, whoever ran before. */
export interface Job {
  /** When, as five fields of cron, in UTC. Exactly one of all processes runs it then. */
  readonly cron: string
  /** Also run by each process as it starts, which listens only afterwards. */
  readonly beforeListening?: boolean
  run(services: Services, log: Log): Promise<void>
}

/** Returns its argument: it is here so that a job is checked where it is written. */
export const defineJob = (job: Job): Job => job

type JobTable = Readonly<Record<string, Job>>

/** Seconds between looks for jobs that are due: their times are in minutes. */
const LOOK_SECONDS = 5

/** Runs those jobs that come before listening. A run that fails is logged and counted; the next one comes all the same. */
export async function runFirst(table: JobTable, services: Services, log: Log): Promise<void> {
  const first = Object.entries(table).filter(([, { beforeListening }]) => beforeListening)
  await Promise.all(first.map(([name, job]) => run(name, job, services, log)))
}

/**
 * Plans every job, and no longer those that are retired; has this process run what is due, one after the other. Each run is
 * done by one process.
 */
export async function startJobs(table: JobTable, retired: readonly string[], services: Services, log: Log): Promise<void> {
  const { queue } = services
  await queue.plan(Object.fromEntries(Object.entries(table).map(([name, { cron }]) => [name, cron])), retired)
  await queue.work('housekeeping', { atOnce: 1, everySeconds: LOOK_SECONDS }, async ({ job: name }) => {
    const job = table[name]
    // Planned by a newer version that shares the database.
    if (!job) return log.warn({ job: name }, 'this version has no such job')
    await run(name, job, services, log)
  })
}

async function run(name: string, job: Job, services: Services, log: Log): Promise<void> {
  try {
    await job.run(services, log)
    services.metrics.onJobDone(name)
  } catch (error) {
    services.metrics.onJobFailed(name)
    log.error({ err: error, job: name }, 'a job failed')
  }
}
