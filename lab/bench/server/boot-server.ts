import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../measure/sleep.ts'
import { differenceOf, type PerRole, treeCpu, treeMemory } from '../measure/tree-usage.ts'
import { freePort } from './free-port.ts'
import { serverPid } from './server-pid.ts'

export interface Server {
  readonly port: number
  readonly key: string
  /** Process id of npm, the ancestor of all its processes, and the folder of its database. */
  readonly root: number
  readonly data: string
  /** CPU time of all its processes during `work` and a moment longer, since a server may write statistics afterwards. */
  cpuDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpu: PerRole }>
  memory(): PerRole
  stop(): Promise<void>
}

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const newKey = () => `sk_${Array.from({ length: 48 }, () => alphanumeric[randomInt(alphanumeric.length)]).join('')}`

const settlingMs = 300
const project = new URL('../../..', import.meta.url).pathname
const running = new Set<ChildProcess>()

// The server stops its database too on SIGTERM; killing npm would leave both running.
process.on('exit', () => {
  for (const { pid } of running) if (pid) process.kill(serverPid(pid), 'SIGTERM')
})

async function waitUntilReady(npm: ChildProcess, port: number, log: string): Promise<void> {
  for (let tries = 0; tries < 900 && npm.exitCode === null; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
    await sleep(100)
  }
  throw new Error(`The server did not become ready:\n${readFileSync(log, 'utf8').slice(-1500)}`)
}

function start(log: string, env: Record<string, string>, processors: string | undefined): ChildProcess {
  const out = openSync(log, 'w')
  const { PATH = '', HOME = '' } = process.env
  const [program = '', ...args] = [...(processors ? ['taskset', '-c', processors] : []), 'npm', 'start', '--silent']
  const npm = spawn(program, args, {
    cwd: project,
    env: { PATH, HOME, ...env },
    detached: true,
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  running.add(npm)
  npm.once('exit', () => running.delete(npm))
  return npm
}

async function end(npm: ChildProcess): Promise<void> {
  const exit = new Promise<void>((resolve) => npm.once('exit', () => resolve()))
  if (npm.exitCode === null && npm.pid) {
    process.kill(serverPid(npm.pid), 'SIGTERM')
    await Promise.race([exit, sleep(40_000)])
  }
}

/**
 * Starts the service as a user does, on an empty folder, with an administrator's key and no burst limit. Servers that share a
 * database get the key as ADMIN_API_KEY: the first one creates it.
 * @param processors those that it may use, in the syntax of taskset; all by default
 */
export async function bootServer(settings: Record<string, string> = {}, processors?: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-bench-server-'))
  const data = join(folder, 'data')
  const log = join(folder, 'server.log')
  const port = await freePort()
  const key = settings.ADMIN_API_KEY ?? newKey()
  const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery', ADMIN_API_KEY: key }
  const own = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: data,
    BURST_PER_MINUTE: '0',
    METRICS_TOKEN: key,
    ...admin,
    ...settings,
  }
  const npm = start(log, own, processors)
  await waitUntilReady(npm, port, log)
  const root = npm.pid ?? 0
  return {
    port,
    key,
    root,
    data,
    async cpuDuring(work) {
      const before = treeCpu(root, data)
      const result = await work()
      await sleep(settlingMs)
      return { result, cpu: differenceOf(treeCpu(root, data), before) }
    },
    memory: () => treeMemory(root, data),
    async stop() {
      await end(npm)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
