import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two of them an ordinary user has to wait for 100 ms, on the whole machine: sched(7), "The autogroup feature". */
const AGAIN_MS = 120
const TRIES = 20

/**
 * The words that start a program with a nice value, 0 to 19, so that the kernel serves everything else first. There is no way back
 * for an ordinary user. The program has it from its first instruction: a value set from outside comes too late for the processes and
 * threads that it has made by then. A server that has been started with a higher value keeps its own.
 */
export function niced(command: readonly string[], nice: number): readonly string[] {
  const more = nice - getPriority()
  return more <= 0 || process.platform === 'win32' ? command : ['nice', '-n', String(more), ...command]
}

/** Lowers the session of a program that has just been started by `niced`, where it leads one, and its group of processes with it. */
export function lowerSession({ pid }: ChildProcess, nice: number): void {
  if (pid === undefined || nice === 0) return
  if (process.platform === 'win32') setPriority(pid, nice)
  if (leadsSession(pid)) void lowerGroup(`/proc/${pid}/autogroup`, nice)
}

/** Whether its session is its own, and not that of the server, which would be lowered with it: proc(5), "stat". */
function leadsSession(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return false
  const stat = readFileSync(file, 'utf8')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return session === String(pid)
}

/**
 * Linux shares processors between sessions first, where it groups by them, and a renderer is one by itself: the nice value
 * alone changed nothing there (measured: 50 % of a contended core).
 */
async function lowerGroup(file: string, nice: number): Promise<void> {
  for (let tries = 0; tries < TRIES && existsSync(file); tries++) {
    try {
      writeFileSync(file, String(nice))
      return
    } catch (error) {
      // Anything else: this kernel or container does not let us, and the nice value has to do.
      if (codeOf(error) !== 'EAGAIN') return
    }
    await sleep(AGAIN_MS * (1 + Math.random()), undefined, { ref: false })
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
