import { availableParallelism } from 'node:os'
import { startWorkerProcess } from '../measure/worker-process.ts'
import type { BareJob, BareResult } from './bare-render.ts'

export interface Bare {
  render(job: BareJob): Promise<BareResult>
  stop(): Promise<void>
}

/** The bare sharp loop in its own process, tuned: a thread for each core, two arenas, and malloc keeps freed memory. */
export async function startBare(): Promise<Bare> {
  const env = { UV_THREADPOOL_SIZE: String(availableParallelism()), MALLOC_ARENA_MAX: '2' }
  const bare = await startWorkerProcess(new URL('bare-process.ts', import.meta.url), env)
  return { render: (job) => bare.ask<BareResult>(job), stop: bare.stop }
}
