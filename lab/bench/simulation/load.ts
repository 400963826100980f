import type { Clock } from './clock.ts'
import {
  type Cluster,
  type Machine,
  openCluster,
  type Plan,
  resetUtilisation,
  type StationName,
  utilisations,
} from './cluster.ts'
import { convert, type Request } from './convert.ts'
import type { Draws } from './draws.ts'
import { type Latencies, openLatencies } from './latencies.ts'
import { client, type Kind, variation } from './measured-costs.ts'

export interface Outcome {
  /** Pictures per second, of those first requested after the queues had filled. */
  readonly perSecond: number
  /** The time from the first attempt to the picture, in seconds. */
  readonly latencies: Latencies
  /** Responses with server_busy, and requests that gave up after all attempts. */
  readonly refused: number
  readonly lost: number
  readonly utilisations: Readonly<Record<StationName, number>>
}

/** `clients`: a closed loop. `perSecond`: an open loop, with `together` simultaneous arrivals on average. */
export type Arrivals = { readonly clients: number } | { readonly perSecond: number; readonly together: number }

export interface Load {
  readonly plan: Plan
  readonly kinds: readonly Kind[]
  readonly arrivals: Arrivals
  /** Warm-up until queues have filled, and the measured period. */
  readonly warmSeconds: number
  readonly seconds: number
}

/** How often a refused client retries, as Retry-After says. */
const TRIES = 5
const RETRY_SECONDS = 1
const JITTER_SECONDS = 0.25

export function simulate(clock: Clock, draws: Draws, { plan, kinds, arrivals, warmSeconds, seconds }: Load): Outcome {
  const cluster = openCluster(clock, plan)
  const shares = kinds.map(({ share }) => share)
  const latencies = openLatencies()
  const counts = { done: 0, refused: 0, lost: 0 }
  const end = clock.now + warmSeconds + seconds
  let counting = false

  function request(startSeconds: number, tries: number, draw: Request, onAnswer: () => void): void {
    convert(cluster, balance(cluster, draws), draw, (isConverted) => {
      if (isConverted) {
        if (counting) counts.done++
        if (counting) latencies.add(clock.now - startSeconds)
        onAnswer()
        return
      }
      if (counting) counts.refused++
      if (tries === TRIES && !('clients' in arrivals)) {
        if (counting) counts.lost++
        return
      }
      clock.after(RETRY_SECONDS + JITTER_SECONDS * draws.uniform(), () => request(startSeconds, tries + 1, draw, onAnswer))
    })
  }
  function one(onAnswer: () => void): void {
    const draw = drawRequest(kinds[draws.kind(shares)] as Kind, draws)
    const begin = (startSeconds: number) => request(startSeconds, 1, draw, onAnswer)
    if (!plan.alone) {
      begin(clock.now)
      return
    }
    // The load generator is one thread on the same processors.
    const firstTrySeconds = clock.now
    ;(cluster.machines[0] as Machine).cores.work(client.image.seconds, () => begin(firstTrySeconds))
  }
  if ('clients' in arrivals) {
    const again = () => one(again)
    for (let nth = 0; nth < arrivals.clients; nth++) again()
  } else {
    const { perSecond, together } = arrivals
    const come = () => {
      // Geometric, with mean `together`.
      do one(() => {})
      while (draws.uniform() > 1 / together)
      clock.after(draws.exponential(together / perSecond), come)
    }
    come()
  }
  clock.run(end - seconds)
  counting = true
  resetUtilisation(cluster)
  clock.run(end)
  return { perSecond: counts.done / seconds, latencies, ...counts, utilisations: utilisations(cluster) }
}

function drawRequest({ render, api, megapixels }: Kind, draws: Draws): Request {
  return { renderSeconds: draws.spread(render.seconds, variation), apiSeconds: api.seconds, megapixels }
}

/** nginx's `random two least_conn`, which needs no coordination between load balancers. */
function balance({ machines }: Cluster, draws: Draws): Machine {
  const [one, other] = [machines[draws.whole(machines.length)], machines[draws.whole(machines.length)]] as [Machine, Machine]
  return one.open <= other.open ? one : other
}

/** The maximum images per second of the machines' processors. */
export function processorLimit({ machines, cores }: Plan, kinds: readonly Kind[]): number {
  const seconds = kinds.reduce((sum, { share, render, api }) => sum + share * (render.seconds + api.seconds), 0)
  return (machines * cores) / seconds
}
