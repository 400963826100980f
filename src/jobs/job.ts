import type { Log } from '../log.ts'
import type { Services } from '../services.ts'

/** Housekeeping. Every server runs every job: each run finds what is to be done, however many have looked before. */
export interface Job {
  readonly everySeconds: number
  /** Runs once before the server listens, and holds it up; other jobs begin when it listens. */
  readonly beforeListening?: boolean
  run(services: Services, log: Log): Promise<void>
}

/** Returns its argument: it is here so that a job is checked where it is written. */
export const defineJob = (job: Job): Job => job
