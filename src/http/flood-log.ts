import type { Log } from '../log.ts'

/** Writes the first lines of each second; of the others only how many they were. */
export type FloodLog = (facts: Readonly<Record<string, unknown>>) => void

/** More than these nobody reads, and each costs a write. */
const LINES_A_SECOND = 10

export function floodLog(log: Pick<Log, 'info'>, error: string): FloodLog {
  let [lines, unwritten] = [0, 0]
  let counting = false
  function end(): void {
    counting = false
    if (unwritten > 0) log.info({ error, requests: unwritten }, 'as many more were answered so within a second')
    lines = 0
    unwritten = 0
  }
  return (facts) => {
    if (!counting) setTimeout(end, 1_000).unref()
    counting = true
    if (lines++ < LINES_A_SECOND) log.info({ ...facts, error })
    else unwritten++
  }
}
