import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../measure/sleep.ts'
import { progress } from '../report/progress.ts'
import { freePort } from '../server/free-port.ts'
import type { EncoderSettings } from './encoder-settings.ts'
import { type Peer, peers } from './index.ts'

/** A running server that reads the pictures of a folder. */
export interface Running {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

const TRIES = 200
const PATIENCE_MS = 3_000

/** The peers whose programs are there; says which are left out. */
export function availablePeers(): readonly Peer[] {
  const missing = new Set<string>()
  const available = peers.filter(({ variable }) => {
    const program = process.env[variable]
    if (program && existsSync(program)) return true
    missing.add(variable)
    return false
  })
  for (const variable of missing) progress(`left out: ${variable} does not name an executable`)
  return available
}

/** The version as the program prints it; undefined if it does not. */
export function versionOf({ variable, version }: Peer): string | undefined {
  try {
    const versionText = execFileSync(process.env[variable] ?? '', version, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return /\d+\.\d+\.\d+/.exec(versionText)?.[0]
  } catch {
    return undefined // Some print none. The table then has the name alone.
  }
}

/** Starts it in a folder of its own, with no environment but its settings, and waits until it answers. */
export async function startPeer(peer: Peer, folder: string, own: EncoderSettings): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'pixelmill-bench-peer-'))
  const log = join(home, 'log')
  const port = await freePort()
  const out = openSync(log, 'w')
  const settings = peer.settings({ folder, port }, own)
  const server = spawn(process.env[peer.variable] ?? '', [], {
    cwd: home,
    stdio: ['ignore', out, out],
    env: { PATH: process.env.PATH ?? '', HOME: home, ...settings },
  })
  closeSync(out)
  const kill = () => server.kill('SIGKILL') // It has no state to save.
  process.on('exit', kill)
  const exit = once(server, 'exit')
  exit.catch(() => undefined) // A program that cannot be started is reported below.
  const stop = async () => {
    kill()
    if (server.pid && server.exitCode === null && server.signalCode === null) await Promise.race([exit, sleep(PATIENCE_MS)])
    process.off('exit', kill)
    rmSync(home, { recursive: true, force: true })
  }
  const running = () => server.pid !== undefined && server.exitCode === null && server.signalCode === null
  for (let tries = 0; tries < TRIES && running(); tries++) {
    if (await answers(port)) return { pid: server.pid ?? 0, port, stop }
    await sleep(50)
  }
  const logTail = readFileSync(log, 'utf8').slice(-800)
  await stop()
  throw new Error(`${peer.name} did not start:\n${logTail}`)
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    (answer) => answer.arrayBuffer().then(() => true),
    () => false,
  )
