import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { CHILD_ENV, type RunAs } from './run.ts'

export interface Postmaster {
  readonly pid: number | undefined
  /** Resolves with the reason, as the end of a sentence, when the process has ended for any cause. */
  readonly gone: Promise<string>
  isGone(): boolean
  /** Cancels running statements, lets PostgreSQL write everything, and ends it; by force after 30 s. */
  stop(): Promise<void>
}

/** PostgreSQL's shutdown modes fast and immediate, and a kill; the last two cause recovery at the next start, not data loss. */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const
const LINES_KEPT = 20
/** PostgreSQL's last line even if it could not start: the error is the line before. */
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
  // Detached: Ctrl-C in a terminal signals a whole process group, and PostgreSQL must outlive the server's last statement.
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
  const child = spawn(first, rest, { ...runAs.ids, cwd: '/', env: CHILD_ENV, stdio, detached: true })
  const lines: string[] = []
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line)
    if (lines.length > LINES_KEPT) lines.shift()
    onLog(line)
  })
  const isGone = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  const goneText = whenGone(child, lines)
  return { pid: child.pid, gone: goneText, isGone, stop: () => stop(child, goneText, isGone) }
}

/** 'close' follows after the last line of standard error was read; 'error' replaces it if the program could not be started. */
function whenGone(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const last = lines.filter((line) => !SHUT_DOWN.test(line)).at(-1) ?? lines.at(-1)
      resolve(`${last ?? 'no message'} (${signal ?? `exit code ${code}`})`)
    })
  })
}

async function stop(child: ChildProcess, goneText: Promise<string>, isGone: () => boolean): Promise<void> {
  for (const { signal, waitMs } of STOP_STEPS) {
    if (isGone()) return
    child.kill(signal)
    await Promise.race([goneText, pause(waitMs, undefined, { ref: false })])
  }
}

/**
 * PostgreSQL's settings for one service on one machine: few processes, little memory, and no network.
 * `fsync` and `synchronous_commit` keep their default (on): what we acknowledged is on the disk.
 */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Pools of 8 connections in up to four processes, plus some for operators.
  max_connections: 40,
  shared_buffers: '32MB',
  // There is no replication, but backups are taken while the server runs, which `minimal` does not allow.
  wal_level: 'replica',
  max_wal_senders: 0,
  // Limits crash recovery to seconds, and the log's disk space; the default is 1 GB. Both values are equal, so that log files are
  // reused and never freed: if the disk fills up meanwhile, PostgreSQL can still commit.
  max_wal_size: '64MB',
  min_wal_size: '64MB',
  // Our statements take milliseconds: neither JIT nor parallel workers pay off, and each worker is a process.
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: 0,
  max_parallel_workers: 0,
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  max_logical_replication_workers: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Details and statements contain values (an address, a hash), which belong to the client and not in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
} as const satisfies Record<string, string | number>

/** The settings as options of the `postgres` program. */
function settingOptions(): readonly string[] {
  return Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

export interface PostmasterFile {
  readonly pid: number
  /** PostgreSQL accepts connections. */
  readonly ready: boolean
}

/** Line 8 of the file is the state, as pg_ctl reads it (PostgreSQL's miscadmin.h, LOCK_FILE_LINE_PM_STATUS). */
const STATE_LINE = 8

export function postmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/** The status that a running or killed PostgreSQL wrote to its folder; null if there is none (yet). */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const lines = (await readOrEmpty(postmasterPath(cluster))).split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return { pid, ready: lines[STATE_LINE - 1]?.trim() === 'ready' }
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
