import type { Measurement } from '../bench.ts'
import { againstLoad } from './against-load.ts'
import { batchTimes } from './batch-times.ts'
import { validate } from './validation.ts'

/** Of the random numbers: the same figures in every run. */
const SEED = 9

/** The service on paper, from measured costs: no server is started. */
export const measureSimulation: Measurement = {
  names: ['simulation'],
  page: 'decisions/0021-simulation.md',
  async measure({ quick }) {
    return [validate(SEED), ...againstLoad(SEED, quick), batchTimes(SEED)]
  },
}
