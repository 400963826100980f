import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunAs } from './as-user.ts'
import { CHILD_ENV } from './run.ts'
import { settingOptions } from './settings.ts'

export interface Postmaster {
  readonly pid: number | undefined
  /** Resolves with the reason, as a sentence's end, when the process is gone for whatever cause. */
  readonly gone: Promise<string>
  isGone(): boolean
  /** Lets running statements be cancelled and everything be written, then ends it; by force after 30 s. */
  stop(): Promise<void>
}

/** Fast, immediate and forced: PostgreSQL's shutdown modes; the last two mean recovery at the next start, not loss. */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const
const LINES_KEPT = 20
/** The last line even of a server that could not start: the error is the line before. */
const SHUT_DOWN = /^LOG: +database system is shut down/

export interface PostmasterOptions {
  readonly postgres: string
  readonly cluster: string
  readonly socketDir: string
  readonly runAs: RunAs
  readonly onLog: (line: string) => void
}

export function spawnPostmaster({ postgres, cluster, socketDir, runAs, onLog }: PostmasterOptions): Postmaster {
  const [first = postgres, ...rest] = [...runAs.prefix, postgres, '-D', cluster, '-k', socketDir, ...settingOptions()]
  // Detached: Ctrl-C in a terminal reaches a whole process group, and PostgreSQL must outlast the server's last statement.
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
  const child = spawn(first, rest, { ...runAs.ids, cwd: '/', env: CHILD_ENV, stdio, detached: true })
  const lines: string[] = []
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line)
    if (lines.length > LINES_KEPT) lines.shift()
    onLog(line)
  })
  const isGone = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  const gone = whenGone(child, lines)
  return { pid: child.pid, gone, isGone, stop: () => stop(child, gone, isGone) }
}

/** 'close' comes after the last line of standard error has been read; 'error' instead when there was nothing to start. */
function whenGone(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const last = lines.filter((line) => !SHUT_DOWN.test(line)).at(-1) ?? lines.at(-1)
      resolve(`${last ?? 'no message'} (${signal ?? `exit code ${code}`})`)
    })
  })
}

async function stop(child: ChildProcess, gone: Promise<string>, isGone: () => boolean): Promise<void> {
  for (const { signal, waitMs } of STOP_STEPS) {
    if (isGone()) return
    child.kill(signal)
    await Promise.race([gone, pause(waitMs, undefined, { ref: false })])
  }
}
