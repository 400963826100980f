import type { Happening } from './clock.ts'
import { ask, type Cluster, compute, type Machine } from './cluster.ts'
import { database, refusal } from './measured-costs.ts'

/** One request as drawn. */
export interface Request {
  readonly renderSeconds: number
  readonly apiSeconds: number
  readonly megapixels: number
}

/** Limits for a picture that may run beside any other, and for all heavier ones in a process: packages/engine/src/rendering/queue.ts. */
const LIGHT_MEGAPIXELS = 20
const HEAVY_MEGAPIXELS = 80

const isFull = ({ queue }: Cluster['plan'], { renderers, heavyWaiting }: Machine) =>
  renderers.free === 0 && renderers.waiting + heavyWaiting.length >= queue

/** POST /api/v1/convert, step by step as in docs/design/README.md; `onEnd` gets whether there was capacity. */
export function convert(cluster: Cluster, machine: Machine, request: Request, onEnd: (isConverted: boolean) => void): void {
  const { plan } = cluster
  // A call costs as much as a single one where everything runs on one machine: more than on a busy server.
  const factor = plan.alone ? database.aloneCall.seconds / (database.admit.seconds + database.settle.seconds) : 1
  machine.open++
  const end = (isConverted: boolean) => {
    machine.open--
    onEnd(isConverted)
  }
  const refuse = () => compute(machine, refusal.seconds / 2, () => end(false))

  compute(machine, Math.min(refusal.seconds / 2, request.apiSeconds / 4), () => {
    if (isFull(plan, machine)) {
      ask(cluster, machine, database.preview.seconds, false, refuse)
      return
    }
    ask(cluster, machine, factor * database.admit.seconds, true, () =>
      compute(machine, request.apiSeconds / 2, () => {
        // Others may have arrived while its body was read.
        if (isFull(plan, machine)) {
          ask(cluster, machine, database.settle.seconds, true, refuse)
          return
        }
        render(machine, request, () =>
          ask(cluster, machine, factor * database.settle.seconds, true, () =>
            compute(machine, request.apiSeconds / 4, () => {
              // Statistics, after the response.
              if (!plan.alone) cluster.databaseCores.work(database.usage.seconds, () => {})
              end(true)
            }),
          ),
        )
      }),
    )
  })
}

function render(machine: Machine, { renderSeconds, megapixels }: Request, onEnd: Happening): void {
  const heavy = megapixels > LIGHT_MEGAPIXELS ? megapixels : 0
  const begin = () =>
    machine.renderers.take(() =>
      machine.cores.work(renderSeconds, () => {
        machine.renderers.leave()
        machine.heavyAtWork -= heavy
        const [next] = machine.heavyWaiting
        if (next && machine.heavyAtWork + next.megapixels <= HEAVY_MEGAPIXELS) {
          machine.heavyWaiting.shift()
          machine.heavyAtWork += next.megapixels
          next.begin()
        }
        onEnd()
      }),
    )
  if (heavy > 0 && (machine.heavyWaiting.length > 0 || machine.heavyAtWork + heavy > HEAVY_MEGAPIXELS)) {
    machine.heavyWaiting.push({ megapixels: heavy, begin })
    return
  }
  machine.heavyAtWork += heavy
  begin()
}
