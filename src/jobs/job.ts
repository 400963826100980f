import type { Log } from '../log.ts'
import type { Services } from '../services.ts'

/** Housekeeping. Every server runs every job: each run finds what is to be done, however many have looked before. */
export interface Job {
  readonly everySeconds: number
  /** The server listens only after its first run; it does not wait for that of other jobs. */
  readonly beforeListening?: boolean
  run(services: Services, log: Log): Promise<void>
}

/** Returns its argument: it is here so that a job is checked where it is written. */
export const defineJob = (job: Job): Job => job
