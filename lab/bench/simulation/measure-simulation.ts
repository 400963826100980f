import type { Measurement } from '../bench.ts'
import { againstLoad } from './against-load.ts'
import { batchTimes } from './batch-times.ts'
import { validate } from './validation.ts'

/** Seed of the random numbers: the same results in every run. */
const SEED = 9

/** Simulates the service from measured costs, without a server. */
export const measureSimulation: Measurement = {
  names: ['simulation'],
  page: 'lab/results/simulation.md',
  async measure({ quick }) {
    return [validate(SEED), ...againstLoad(SEED, quick), batchTimes(SEED)]
  },
}
