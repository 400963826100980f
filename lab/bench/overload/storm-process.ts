import { execFileSync } from 'node:child_process'
import { answerParent } from '../measure/worker-process.ts'
import { storm } from './storm.ts'
import type { StormPlan } from './storm-plan.ts'

answerParent((plan: StormPlan) => {
  // Including all of its threads, which exist already.
  if (plan.processors) execFileSync('taskset', ['-apc', plan.processors, String(process.pid)])
  return storm(plan)
})
