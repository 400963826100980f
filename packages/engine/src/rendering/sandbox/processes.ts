import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** One run of a program to its end. */
export interface ProgramRun {
  /** Rejects, with the end of its standard error, if it does not exit with 0. */
  readonly done: Promise<void>
  /** Ends it and all processes that it started. */
  kill(): void
}

/** Characters of a program's standard error that are kept for the log. */
const STDERR_LENGTH = 500

/** Starts a program, called `name` in errors, in a process group of its own: Ctrl-C does not reach it, and its children end with it. */
export function startProgram(name: string, commandLine: readonly string[], env: NodeJS.ProcessEnv, nice = 0): ProgramRun {
  const [command = '', ...args] = withNice(commandLine, nice)
  const child = spawn(command, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  lowerSession(child, nice)
  let isOver = false
  let stderr = ''
  // Without a free file descriptor there are no pipes: the error event reports it.
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_LENGTH)
  })
  const completion = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      isOver = true
      if (code === 0) resolve()
      else reject(new Error(`${name} ended with ${endingSignal(code, signal) ?? `code ${code}`}: ${stderr.trim()}`))
    })
  })
  return {
    done: completion,
    kill() {
      // After its end another process may have its id.
      if (!isOver) endProgram(child, () => killGroup(child))
    },
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // ESRCH, and on macOS EPERM: all of them have ended already.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}

/** The processes of a program that may be in a PID namespace of its own. */
interface Processes {
  /** The first process of its namespace, whose end is the end of all in it; undefined without a namespace. */
  readonly first: number | undefined
  /** The process that does the work. */
  readonly working: number
}

/**
 * In a PID namespace, the started process is `unshare`, which waits for the first process of the namespace, which waits for the
 * program.
 * Ids are those that the server sees.
 */
function processesOf(startedPid: number): Processes {
  const [first] = childrenOf(startedPid)
  if (first === undefined || !isFirst(first)) return { first: undefined, working: startedPid }
  return { first, working: childrenOf(first)[0] ?? first }
}

/** The id of the process that does the work of a running program. */
export const workingProcess = (startedPid: number | undefined): number | undefined =>
  startedPid && processesOf(startedPid).working

/** How long the processes around a program may take to end after it. */
const FOLLOW_MS = 1_000

/**
 * Ends a program with SIGKILL. In a namespace the program itself is killed, so that the processes around it notice its end and
 * end too:
 * otherwise that would be left to process 1, which in a container may be a server that knows nothing of it. Then the namespace is
 * ended with everything that may still be in it.
 * @param kill ends a program that is in no namespace
 */
export function endProgram(child: ChildProcess, kill = (): void => void child.kill('SIGKILL')): void {
  if (child.pid === undefined || hasEnded(child)) return
  const { first, working } = processesOf(child.pid)
  if (first === undefined) {
    kill()
    return
  }
  if (!killProcess(working)) killProcess(first)
  setTimeout(() => hasEnded(child) || killProcess(first), FOLLOW_MS).unref()
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** False if it has ended already. */
function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** The signal that ended a program: shells and bubblewrap report it as an exit code, 128 plus its number. */
export function endingSignal(code: number | null, signal: NodeJS.Signals | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - 128) ?? []
  return signal ?? (name as NodeJS.Signals | undefined) ?? null
}

/** Empty for a process that has ended, and on systems without /proc. */
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

/** An ordinary user has to wait 100 ms between two changes, on the whole machine: sched(7), "The autogroup feature". */
const AGAIN_MS = 120
const TRIES = 20

/**
 * The command line with a nice value, 0 to 19, so that the kernel prefers all other processes; an ordinary user cannot undo that.
 * It applies from the program's first instruction: a value set from outside is too late for processes and threads started by
 * then. A server that was started with a higher value keeps its own.
 */
export function withNice(command: readonly string[], nice: number): readonly string[] {
  const more = nice - getPriority()
  return more <= 0 || process.platform === 'win32' ? command : ['nice', '-n', String(more), ...command]
}

/** Lowers the session of a program that has just been started by `withNice`, where it leads one, and its group of processes with it. */
export function lowerSession({ pid }: ChildProcess, nice: number): void {
  if (pid === undefined || nice === 0) return
  if (process.platform === 'win32') setPriority(pid, nice)
  if (leadsSession(pid)) void lowerGroup(`/proc/${pid}/autogroup`, nice)
}

/** Whether it has a session of its own, not the server's, which would be lowered with it: proc(5), "stat". */
function leadsSession(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return false
  const stat = readFileSync(file, 'utf8')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return session === String(pid)
}

/**
 * Linux divides processors between sessions first, if autogrouping is on, and a renderer is its own session: the nice value alone
 * had no effect there (measured: 50 % of a contended core).
 */
async function lowerGroup(file: string, nice: number): Promise<void> {
  for (let tries = 0; tries < TRIES && existsSync(file); tries++) {
    try {
      writeFileSync(file, String(nice))
      return
    } catch (error) {
      // Any other error: this kernel or container does not allow it, and the nice value has to suffice.
      if (codeOf(error) !== 'EAGAIN') return
    }
    await sleep(AGAIN_MS * (1 + Math.random()), undefined, { ref: false })
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
