import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { contentType } from '../load/multipart-body.ts'
import { sendRequest } from '../load/send-request.ts'
import { sleep } from '../measure/sleep.ts'
import { sumOf, treeCpu } from '../measure/tree-usage.ts'
import { serverPid } from '../server/server-pid.ts'

/** A way to start the service on a folder. */
export interface Way {
  readonly name: string
  readonly command: readonly string[]
  /** In addition to those of every start. */
  readonly settings: Readonly<Record<string, string>>
  readonly signal: NodeJS.Signals
}

export interface Start {
  /** Milliseconds from the first process to a port that accepts, and to the first picture. */
  readonly acceptsMs: number
  readonly imageMs: number
  /** Milliseconds of processor time of all processes until then. */
  readonly cpuMs: number
  /** The times that the server reports: milliseconds since its process started. */
  readonly phases: Readonly<Record<string, readonly [number, number]>>
}

const project = new URL('../../..', import.meta.url).pathname
const pollMs = 10
const patienceMs = 120_000

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isAccepted: boolean) => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

function phasesIn(log: string): Start['phases'] {
  const line = log.split('\n').find((text) => text.includes('"msg":"started"'))
  return line === undefined ? {} : JSON.parse(line).ms
}

/** Starts the service, converts one picture as soon as its port accepts, and stops it. @throws Error with its output */
export async function startOnce(way: Way, folder: string, port: number, key: string, body: Buffer): Promise<Start> {
  const { PATH = '', HOME = '' } = process.env
  const log = join(folder, 'server.log')
  const out = openSync(log, 'w')
  const env = { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'debug' }
  const [program = '', ...args] = way.command
  const began = performance.now()
  const child = spawn(program, args, {
    cwd: project,
    env: { ...env, ADMIN_API_KEY: key, BURST_PER_MINUTE: '0', ...way.settings },
    detached: true,
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  const exit = once(child, 'exit')
  const root = child.pid ?? 0
  const server = () => (way.command[0] === 'npm' ? serverPid(root) : root)
  // If the benchmark is interrupted, no server is left running.
  const end = () => process.kill(server(), 'SIGTERM')
  process.once('exit', end)
  exit.then(() => process.off('exit', end))
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() - began > patienceMs) throw new Error(readFileSync(log, 'utf8').slice(-1500))
    await sleep(pollMs)
  }
  const acceptsMs = performance.now() - began
  const headers = { authorization: `Bearer ${key}`, 'content-type': contentType, 'content-length': String(body.length) }
  const { status } = await sendRequest(new Agent(), { port, path: '/api/v1/convert', headers, body })
  const imageMs = performance.now() - began
  const cpuMs = sumOf(treeCpu(root, join(folder, 'data')))
  // The log line with the phases follows after the port has opened.
  await sleep(300)
  process.kill(server(), way.signal)
  await exit
  if (status !== 200) throw new Error(`The first picture was answered with ${status}:\n${readFileSync(log, 'utf8').slice(-1500)}`)
  return { acceptsMs, imageMs, cpuMs, phases: phasesIn(readFileSync(log, 'utf8')) }
}
