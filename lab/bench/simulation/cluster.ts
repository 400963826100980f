import type { Clock, Happening } from './clock.ts'
import { type GroupCommit, openGroupCommit } from './group-commit.ts'
import { openPlaces, type Places } from './places.ts'
import { openSharedCores, type SharedCores } from './shared-cores.ts'

/** A simulated cluster: machines with one process of ROLE=api each, and one PostgreSQL. */
export interface Plan {
  readonly machines: number
  /** Processors of each machine. */
  readonly cores: number
  readonly renderers: number
  /** RENDER_QUEUE of each. */
  readonly queue: number
  /** Processors of PostgreSQL's machine; with `sharedDatabase` it has none of its own. */
  readonly databaseCores: number
  /** PostgreSQL and the clients run on the first machine's processors, as in the benchmark. */
  readonly alone?: boolean
  readonly flushSeconds: number
  readonly roundTripSeconds: number
  /** Connections of each process's pool. */
  readonly pool: number
}

export interface Machine {
  readonly cores: SharedCores
  /** Node's single thread. */
  readonly thread: Places
  readonly renderers: Places
  readonly pool: Places
  /** Requests in flight, as the load balancer counts them. */
  open: number
  /** Heavy pictures: megapixels being rendered, and pictures waiting for memory. */
  heavyAtWork: number
  readonly heavyWaiting: { readonly megapixels: number; readonly begin: Happening }[]
}

export interface Cluster {
  readonly plan: Plan
  readonly clock: Clock
  readonly machines: readonly Machine[]
  readonly databaseCores: SharedCores
  readonly disk: GroupCommit
}

/** Stations by name; their utilisation shows the bottleneck; among equals the first is the cause. */
export const stationNames = ['PostgreSQL', 'API thread', 'processors', 'renderers', 'connections', 'disk'] as const
export type StationName = (typeof stationNames)[number]

export function openCluster(clock: Clock, plan: Plan): Cluster {
  const machines = Array.from(
    { length: plan.machines },
    (): Machine => ({
      cores: openSharedCores(clock, plan.cores),
      thread: openPlaces(clock, 1),
      renderers: openPlaces(clock, plan.renderers),
      pool: openPlaces(clock, plan.pool),
      open: 0,
      heavyAtWork: 0,
      heavyWaiting: [],
    }),
  )
  const [first] = machines
  if (!first) throw new Error('a cluster has a machine')
  const databaseCores = plan.alone ? first.cores : openSharedCores(clock, plan.databaseCores)
  return { plan, clock, machines, databaseCores, disk: openGroupCommit(clock, plan.flushSeconds) }
}

type Station = Pick<Places, 'utilisation' | 'resetUtilisation'>

function stationsOf({ machines, databaseCores, disk }: Cluster): Readonly<Record<StationName, readonly Station[]>> {
  return {
    renderers: machines.map((machine) => machine.renderers),
    processors: machines.map((machine) => machine.cores),
    'API thread': machines.map((machine) => machine.thread),
    connections: machines.map((machine) => machine.pool),
    PostgreSQL: [databaseCores],
    disk: [disk],
  }
}

/** Utilisation counts from now on. */
export function resetUtilisation(cluster: Cluster): void {
  for (const stations of Object.values(stationsOf(cluster))) for (const station of stations) station.resetUtilisation()
}

/** Average over all machines, 0 to 1. */
export function utilisations(cluster: Cluster): Readonly<Record<StationName, number>> {
  const mean = (stations: readonly Station[]) => stations.reduce((sum, one) => sum + one.utilisation(), 0) / stations.length
  const means = Object.entries(stationsOf(cluster)).map(([name, stations]) => [name, mean(stations)])
  return Object.fromEntries(means)
}

/** In the API process: its thread does one thing at a time, on processors that others use too. */
export function compute({ thread, cores }: Machine, seconds: number, onEnd: Happening): void {
  thread.take(() =>
    cores.work(seconds, () => {
      thread.leave()
      onEnd()
    }),
  )
}

/** One statement: a connection, the network, processor time, the disk if it writes, the network again. */
export function ask(cluster: Cluster, { pool }: Machine, seconds: number, commits: boolean, onEnd: Happening): void {
  const { clock, plan, databaseCores, disk } = cluster
  const half = plan.roundTripSeconds / 2
  const answer = () =>
    clock.after(half, () => {
      pool.leave()
      onEnd()
    })
  pool.take(() => clock.after(half, () => databaseCores.work(seconds, () => (commits ? disk.commit(answer) : answer()))))
}
