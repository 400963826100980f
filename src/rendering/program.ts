import { type ChildProcess, spawn } from 'node:child_process'
import { lowerSession, niced } from './lower-priority.ts'
import { endingSignal, endProgram } from './program-processes.ts'

/** One run of a program to its end. */
export interface ProgramRun {
  /** Rejects, with its last words, when it does not end with 0. */
  readonly done: Promise<void>
  /** Ends it and all that it started. */
  kill(): void
}

/** Characters of a program's last words that are kept for the log. */
const LAST_WORDS = 500

/** Starts a program, `name` in what is said of it, in a process group of its own: Ctrl-C does not reach it, and what it starts dies with it. */
export function startProgram(name: string, words: readonly string[], env: NodeJS.ProcessEnv, nice = 0): ProgramRun {
  const [command = '', ...args] = niced(words, nice)
  const child = spawn(command, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  lowerSession(child, nice)
  let ended = false
  let said = ''
  // Without a file descriptor left there are no pipes: the event tells.
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-LAST_WORDS)
  })
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      ended = true
      if (code === 0) resolve()
      else reject(new Error(`${name} ended with ${endingSignal(code, signal) ?? `code ${code}`}: ${said.trim()}`))
    })
  })
  return {
    done,
    kill() {
      // After its end the number may be another's.
      if (!ended) endProgram(child, () => killGroup(child))
    },
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // ESRCH, and on macOS EPERM: all of it has ended already.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}
