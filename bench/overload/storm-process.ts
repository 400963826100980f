import { execFileSync } from 'node:child_process'
import { answerParent } from '../measure/worker-process.ts'
import { storm } from './storm.ts'
import type { StormPlan } from './storm-plan.ts'

answerParent((plan: StormPlan) => {
  // With all its threads, which are there already.
  if (plan.processors) execFileSync('taskset', ['-apc', plan.processors, String(process.pid)])
  return storm(plan)
})
