import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { makeApiKey } from '../../src/accounts/api-keys.ts'
import { form } from '../support/call.ts'
import { TARGETS } from '../support/database-targets.ts'
import { type Process, run } from '../support/server.ts'
import { lacks } from './files.ts'
import { startNginx } from './nginx.ts'

/** A rolling restart under load, in which no balancer takes a server out before it is stopped. */

const ends: (() => unknown)[] = []
const later = { after: (end: unknown) => void ends.push(end as () => unknown) }
const key = makeApiKey()
let settings: Readonly<Record<string, string>> = {}

before(async () => {
  const target = await TARGETS[0].start(later, 'tables')
  assert.ok('socketDir' in target)
  const url = `postgres:///postgres?user=pixelmill&host=${encodeURIComponent(target.socketDir)}`
  settings = {
    ROLE: 'api',
    DATABASE_URL: url,
    DATA_DIR: await tempFolder(later),
    ADMIN_API_KEY: key,
    RENDERERS: '1',
    BURST_PER_MINUTE: '0',
    SHUTDOWN_DELAY_S: '1',
    TRUSTED_PROXIES: 'loopback',
  }
})
after(async () => {
  for (const end of ends.reverse()) await end()
})

async function start(more: Readonly<Record<string, string>>): Promise<Process> {
  const server = run({ ...settings, ...more })
  ends.push(() => {
    server.child.kill('SIGKILL')
    return server.exited
  })
  assert.ok(await until(async () => server.output().includes('listens on'), 120_000), server.output())
  return server
}

async function stop({ child, exited, output }: Process): Promise<void> {
  child.kill('SIGTERM')
  assert.deepEqual(await exited, { code: 0, signal: null }, output())
}

const upload = new Request('http://localhost', {
  method: 'POST',
  body: form({ format: 'webp' }, { image: await photo(60, 40).png().toBuffer() }),
})
const convert = { type: upload.headers.get('content-type') ?? '', body: Buffer.from(await upload.arrayBuffer()) }

/** The status of an answer that came whole, or what went wrong. */
function ask(port: string, agent: Agent, path: string): Promise<string> {
  const isConversion = path.includes('convert')
  const headers = { authorization: `Bearer ${key}`, ...(isConversion && { 'content-type': convert.type }) }
  return new Promise((resolve) => {
    let reset = RESET_UNANSWERED
    const onFailure = (error: Error) => {
      const reason = 'code' in error ? error.code : error.message
      resolve(reason === 'ECONNRESET' ? reset : `${path}: ${reason}`)
    }
    const sentRequest = request({ host: '127.0.0.1', port, path, method: isConversion ? 'POST' : 'GET', agent, headers })
    sentRequest.on('error', onFailure)
    sentRequest.on('response', (answer: IncomingMessage) => {
      reset = `${path}: reset within its answer`
      answer.on('error', onFailure).resume()
      answer.on('end', () => resolve(answer.statusCode === 200 ? '200' : `${path}: ${answer.statusCode}`))
    })
    sentRequest.end(isConversion ? convert.body : undefined)
  })
}

const RESET_UNANSWERED = 'reset before an answer'

/**
 * Asks once more after a reset without an answer: Linux resets the connections that a closing port has not accepted yet
 * (`net.ipv4.tcp_migrate_req` is off). That such a request was never begun is shown by the calls that are charged.
 */
const askAgain: typeof ask = async (...question) => {
  const result = await ask(...question)
  return result === RESET_UNANSWERED ? await ask(...question) : result
}

async function chargedCalls(port: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/usage`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200)
  const { calls } = (await answer.json()) as { readonly calls: { readonly used: number } }
  return calls.used
}

type Answers = { readonly counts: ReadonlyMap<string, number>; readonly conversions: number; readonly charged: number }

/** Clients that send one request after the other, those with an even number on connections that they keep, until `work` is done. */
async function answersDuring(port: string, work: () => Promise<void>, asking = ask): Promise<Answers> {
  const counts = new Map<string, number>()
  const chargedBefore = await chargedCalls(port)
  let conversions = 0
  let isDone = false
  const clients = Array.from({ length: 8 }, async (_, nth) => {
    const agent = new Agent({ keepAlive: nth % 2 === 0, maxSockets: 1 })
    for (let askedCount = 0; !isDone; askedCount++) {
      const path = askedCount % 3 === 0 ? '/api/v1/convert' : '/api/v2/usage'
      const result = await asking(port, agent, path)
      if (result === '200' && path === '/api/v1/convert') conversions += 1
      counts.set(result, (counts.get(result) ?? 0) + 1)
      await sleep(2)
    }
    agent.destroy()
  })
  try {
    await work()
  } finally {
    isDone = true
  }
  await Promise.all(clients)
  return { counts, conversions, charged: (await chargedCalls(port)) - chargedBefore }
}

function assertAllAnswered({ counts, conversions, charged }: Answers): void {
  assert.deepEqual([...counts.keys()], ['200'], JSON.stringify([...counts]))
  assert.equal(charged, conversions)
  assert.ok((counts.get('200') ?? 0) > 50)
}

async function freePort(): Promise<string> {
  const takenServer = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => takenServer.once('listening', resolve))
  const { port } = takenServer.address() as AddressInfo
  await new Promise((resolve) => takenServer.close(resolve))
  return String(port)
}

test('behind the nginx of deploy/nginx.conf no request is lost', { skip: lacks('nginx') }, async () => {
  const addresses = ['127.0.0.2', '127.0.0.3'] as const
  const port = await freePort()
  const balancedText = await freePort()
  const servers = new Map<string, Process>()
  const startAt = async (address: string) => void servers.set(address, await start({ HOST: address, PORT: port }))
  for (const address of addresses) await startAt(address)
  await using _nginx = await startNginx(balancedText, { addresses, port })
  const answers = await answersDuring(balancedText, async () => {
    for (const address of addresses) {
      await stop(servers.get(address) ?? assert.fail())
      await startAt(address)
    }
  })
  assertAllAnswered(answers)
})

test('without a balancer, on a port that the servers share, no request is lost', { skip: skipByDay }, async () => {
  const port = await freePort()
  const preloads = ['../../../../test/support/loopback-only.ts', './reuse-port.ts'].map(
    (file) => `--import=${join(import.meta.dirname, file)}`,
  )
  const sharedValue = { PORT: port, NODE_OPTIONS: preloads.join(' ') }
  let server = await start(sharedValue)
  async function restartThrice(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      const next = await start(sharedValue)
      await stop(server)
      server = next
    }
  }
  const answers = await answersDuring(port, restartThrice, askAgain)
  assertAllAnswered(answers)
})
