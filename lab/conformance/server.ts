import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeApiKey } from 'pixelmill-server/accounts/api-keys'

const MAIN = join(import.meta.dirname, '../../packages/cli/bin/pixelmill.mjs')
const START_MS = 60_000

export interface OwnServer extends AsyncDisposable {
  readonly url: string
  readonly key: string
  readonly pid: number
  alive(): boolean
  /** Renderers replaced so far, by reason and lane. */
  restarts(): Promise<Readonly<Record<string, number>>>
}

/** The server as `npm start` runs it, on a folder that is removed with it. */
export async function startOwnServer(own: Readonly<Record<string, string>> = {}): Promise<OwnServer> {
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-conformance-'))
  const key = makeApiKey()
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dir,
    ADMIN_API_KEY: key,
    BURST_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    METRICS_TOKEN: key,
  }
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...settings, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    // Only the address is needed; later log lines are not kept.
    if (output.length < 10_000) output += chunk.toString()
  })
  const alive = () => child.exitCode === null && child.signalCode === null
  const url = await ready(() => output, alive)
  return {
    url,
    key,
    pid: child.pid ?? 0,
    alive,
    async restarts() {
      const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text()
      const lines = text.matchAll(/^pixelmill_renderer_restarts_total\{reason="(\w+)",lane="(\w+)"\} (\d+)$/gm)
      return Object.fromEntries([...lines].map(([, reason, lane, count]) => [`${reason} (${lane})`, Number(count)]))
    },
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      if (alive() && child.kill('SIGTERM')) await exit
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function ready(output: () => string, alive: () => boolean): Promise<string> {
  for (const until = performance.now() + START_MS; performance.now() < until && alive(); await sleep(50)) {
    const url = /listens on (\S+)/.exec(output())?.[1]
    if (url && (await fetch(`${url}/readyz`)).ok) return url
  }
  throw new Error(`the server did not get ready:\n${output()}`)
}
