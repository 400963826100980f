import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { sumOf, treeCpu } from './tree-usage.ts'

export interface Watched<Result> {
  readonly result: Result
  /** Share of the machine's CPU time, 0–1, used by other processes and by other guests of the host. */
  readonly foreignShare: number
}

/** CPU milliseconds used by all processes of this machine since its start, and those taken by its host. */
function machineCpuMs(): number {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.trim().split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) * 10
}

/** Everything that the benchmark measures runs below its own process, so the rest of the machine's CPU time is foreign. */
async function watchMachine<Result>(work: () => Promise<Result>): Promise<Watched<Result>> {
  const own = () => sumOf(treeCpu(process.pid))
  const before = { machine: machineCpuMs(), own: own(), at: performance.now() }
  const result = await work()
  const foreignMs = machineCpuMs() - before.machine - (own() - before.own)
  const share = foreignMs / ((performance.now() - before.at) * availableParallelism())
  return { result, foreignShare: Math.max(0, share) }
}

const quietEnough = 0.1

/** Repeats `work` until `wanted` rounds were quiet, at most twice as often, and returns the quietest. */
export async function quietRounds<Result>(count: number, work: (round: number) => Promise<Result>): Promise<Watched<Result>[]> {
  const rounds: Watched<Result>[] = []
  const quiet = () => rounds.filter(({ foreignShare }) => foreignShare <= quietEnough).length
  for (let round = 0; round < 2 * count && quiet() < count; round++) rounds.push(await watchMachine(() => work(round)))
  return rounds.sort((a, b) => a.foreignShare - b.foreignShare).slice(0, count)
}
