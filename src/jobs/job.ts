import type { Log } from '../log.ts'
import type { Services } from '../services.ts'

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
