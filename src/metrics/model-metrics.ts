import type { ModelReport } from '../models/models.ts'
import type { Meter } from './meter.ts'
import type { Watched } from './watched.ts'

const modelStates = ['loading', 'ready', 'failed'] as const satisfies readonly ModelReport['state'][]

/** What became of the operator's models. */
export function modelMetrics(meter: Meter, watched: Partial<Watched>): void {
  meter.gauge(
    'model_state',
    'What a model was found to be when it was last tried: 1 for its state, 0 for the others.',
    ['model', 'state'],
    (gauge) => {
      for (const [model, report] of Object.entries(watched.models?.reports() ?? {})) {
        for (const state of modelStates) gauge.set({ model, state }, Number(report.state === state))
      }
    },
  )
}
