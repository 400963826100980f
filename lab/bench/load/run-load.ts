import { startWorkerProcess } from '../measure/worker-process.ts'
import type { LoadPlan, LoadResult } from './load-plan.ts'

/** Runs one plan in a fresh process, so that heap and sockets are not affected by the previous run. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const load = await startWorkerProcess(new URL('load-process.ts', import.meta.url))
  try {
    return await load.ask<LoadResult>(plan)
  } finally {
    await load.stop()
  }
}
