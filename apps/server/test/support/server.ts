import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workingProcess } from '@pixelmill/engine/rendering/sandbox/processes'
import { COMPILES } from '@pixelmill/engine/rendering/sandbox/spawn'
import { makeApiKey } from '../../src/accounts/api-keys.ts'
import { METRICS_TOKEN } from './read-metric.ts'
import { copyTemplate } from './template-cluster.ts'

const MAIN = join(import.meta.dirname, '../../../../packages/cli/bin/pixelmill.mjs')
const GUARD = join(import.meta.dirname, '../../../../test/support/loopback-only.ts')
const START_MS = 60_000

export interface Process {
  readonly child: ChildProcess
  /** Standard output and error so far. */
  output(): string
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** Runs the program with nothing in its environment but these settings. */
export function run(settings: Readonly<Record<string, string>>, cwd?: string): Process {
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_TOKEN,
    NODE_OPTIONS: `--import=${GUARD}`,
    ...settings,
  }
  const child = spawn(process.execPath, [MAIN], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  // A test file that fails half-way leaves no server behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exitedValue = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { child, output: () => output, exited: exitedValue }
}

export interface Server extends Process {
  readonly url: string
  readonly key: string
  readonly dir: string
  readonly pid: number
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** Stops it and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a dedicated server and waits until it is ready, in a new folder unless one is given. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<Server> {
  const dir = settings.DATA_DIR ?? (await newFolder(settings))
  const key = settings.ADMIN_API_KEY ?? makeApiKey()
  const process = run({ BURST_PER_MINUTE: '0', BATCH_NICE: '0', ...settings, DATA_DIR: dir, ADMIN_API_KEY: key })
  const url = await ready(process)
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    process.child.kill(signal)
    return await process.exited
  }
  return {
    ...process,
    url,
    key,
    dir,
    pid: process.child.pid ?? 0,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Copies a database into the folder where the server needs one: a DATA_DIR that a test passes starts empty. */
async function newFolder({ DATABASE_URL }: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-test-'))
  if (DATABASE_URL === undefined) await copyTemplate('tables', dir)
  return dir
}

async function ready(process: Process): Promise<string> {
  for (const began = performance.now(); performance.now() - began < START_MS; ) {
    const url = /listens on (\S+)/.exec(process.output())?.[1]
    if (url && (await fetch(`${url}/readyz`)).ok) return url
    if (process.child.exitCode !== null) break
    await sleep(20)
  }
  throw new Error(`the server did not get ready:\n${process.output()}`)
}

/**
 * Processes that a server started, renderers and PostgreSQL, by name. Each process is asked for its parent: the kernel's own list of
 * children may lack some while others end (proc(5), "children").
 */
export async function childrenOf(pid: number): Promise<readonly { readonly pid: number; readonly command: string }[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(all.map(parentOf))
  return Promise.all(
    all
      .filter((_, index) => parents[index] === pid)
      .map(async (child) => ({
        pid: child,
        // A process without a command line has ended meanwhile.
        command: (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
      })),
  )
}

/** The fourth field of proc(5)'s stat, counted after the name in parentheses; undefined for a process that has ended meanwhile. */
async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/**
 * Renderers that do work; not the one that compiles the code cache, where that has not been done. In a PID namespace they are
 * not children of the server.
 */
export const renderersOf = async (pid: number) =>
  (await childrenOf(pid))
    .filter(({ command }) => command.includes('renderer.ts') && !command.includes(COMPILES))
    .map((child) => ({ ...child, pid: workingProcess(child.pid) ?? child.pid }))
