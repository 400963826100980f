import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import type { Job } from './job.ts'

export interface Scheduler {
  /** Waits for the runs in hand. */
  close(): Promise<void>
}

/**
 * Runs each job at once and then again `everySeconds` after the end of its last run, so that none overlaps itself.
 * Resolves when those that come before listening have run. A run that fails is logged and counted; the next one comes all the same.
 */
export async function startJobs(table: Readonly<Record<string, Job>>, services: Services, log: Log): Promise<Scheduler> {
  const stopping = new AbortController()
  const { signal } = stopping

  const run = async (name: string, job: Job) => {
    try {
      await job.run(services, log)
    } catch (error) {
      services.metrics.onJobFailed(name)
      log.error({ err: error, job: name }, 'a job failed')
    }
  }
  const repeat = async (name: string, job: Job, first: Promise<void>) => {
    await first
    while (!signal.aborted) {
      const slept = await sleep(job.everySeconds * 1000, true, { signal, ref: false }).catch(() => false)
      if (slept) await run(name, job)
    }
  }

  const rows = Object.entries(table)
  const firstRuns = rows.map(([name, job]) => ({ name, job, first: run(name, job) }))
  await Promise.all(firstRuns.filter(({ job }) => job.beforeListening).map(({ first }) => first))
  const running = firstRuns.map(({ name, job, first }) => repeat(name, job, first))
  return {
    async close() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
