import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two of them an ordinary user has to wait for 100 ms, on the whole machine: sched(7), "The autogroup feature". */
const AGAIN_MS = 120
const TRIES = 20

/**
 * Gives a program that has just been started a nice value, 1 to 19, so that the kernel serves everything else first. There is
 * no way back for an ordinary user. Threads inherit it, so it has to be done before the program makes any.
 * Nothing happens where the program has ended already.
 */
export function lowerPriority({ pid }: ChildProcess, nice: number): void {
  if (pid === undefined || nice === 0) return
  try {
    setPriority(pid, nice)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
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
