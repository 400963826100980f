import { processTree } from '../bench/measure/processes.ts'

export interface Timed<Result> {
  readonly result: Result
  /** CPU milliseconds of this process and of all programs that it ran and that have ended. */
  readonly ms: number
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  const reapedMs = processTree(process.pid).find(({ pid }) => pid === process.pid)?.reapedMs ?? 0
  return (user + system) / 1000 + reapedMs
}

export async function withTime<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const before = cpuMs()
  const result = await work()
  return { result, ms: cpuMs() - before }
}
