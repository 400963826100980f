import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

/** What a program consists of that may be in a PID namespace of its own. */
interface Processes {
  /** The first process of its namespace, whose end is the end of all in it; undefined without a namespace. */
  readonly first: number | undefined
  /** That which does the work. */
  readonly working: number
}

/**
 * In a PID namespace, the process that was started is `unshare`, which waits for the first process of the namespace, which
 * waits for the program. Numbers are those that the server sees.
 */
function processesOf(started: number): Processes {
  const [first] = childrenOf(started)
  if (first === undefined || !isFirst(first)) return { first: undefined, working: started }
  return { first, working: childrenOf(first)[0] ?? first }
}

/** The number of the process that does the work of a program that has begun. */
export const workingProcess = (started: number | undefined): number | undefined => started && processesOf(started).working

/** How long the processes around a program may take to end after it. */
const FOLLOW_MS = 1_000

/**
 * Ends a program with SIGKILL. In a namespace the program itself is killed, so that the processes around it take note of its end
 * and end too: otherwise that would be left to process 1, which in a container may be a server that knows nothing of it. Then
 * the namespace is ended with all that may still be in it.
 * @param kill ends a program that is in no namespace
 */
export function endProgram(child: ChildProcess, kill = (): void => void child.kill('SIGKILL')): void {
  if (child.pid === undefined || hasEnded(child)) return
  const { first, working } = processesOf(child.pid)
  if (first === undefined) {
    kill()
    return
  }
  if (!killed(working)) killed(first)
  setTimeout(() => hasEnded(child) || killed(first), FOLLOW_MS).unref()
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** False where it has ended already. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** The signal that ended a program: shells and bubblewrap tell it as an exit code, 128 and its number. */
export function endingSignal(code: number | null, signal: NodeJS.Signals | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - 128) ?? []
  return signal ?? (name as NodeJS.Signals | undefined) ?? null
}

/** Empty for a process that is gone, and where the system does not tell. */
const childrenOf = (pid: number): readonly number[] =>
  readProcess(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)

/** Its number in the innermost namespace is the last of the line: proc(5), "NSpid". */
const isFirst = (pid: number): boolean => /^NSpid:.*\s\d+\s+1$/m.test(readProcess(pid, 'status'))

function readProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // ENOENT or ESRCH: it has ended meanwhile, or there is no /proc.
    return ''
  }
}
