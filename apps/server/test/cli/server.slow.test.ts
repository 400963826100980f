import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { convert, counts, folderOf, jpeg, pixelmill, start } from 'pixelmill/test/pixelmill'
import { chargedCalls, openServerDatabase } from '../support/accounts.ts'
import { METRICS_TOKEN } from '../support/read-metric.ts'
import { type Server, startServer } from '../support/server.ts'

let server: Server
before(async () => {
  server = await startServer({ RENDERERS: '1' })
})
after(() => server[Symbol.asyncDispose]())

async function chargedCallCount(): Promise<number> {
  const database = await openServerDatabase(server.dir)
  const calls = await chargedCalls(database)
  await database.close()
  return calls
}

/** What a proxy does with a request before it passes it on, or with the answer. */
type Fault = 'limited' | 'restarting' | 'cut answer' | undefined

/** A proxy in front of the server, which meets each request with the next of these faults. */
async function proxy(t: { after(end: () => unknown): void }, faults: Fault[]): Promise<string> {
  const listener = createServer((askedMessage, answer) => {
    const fault = faults.shift()
    if (fault === 'limited' || fault === 'restarting') {
      const [status, name] = fault === 'limited' ? [429, 'rate_limited'] : [503, 'server_busy']
      askedMessage.resume().once('end', () => {
        answer.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        answer.end(JSON.stringify({ statusCode: status, statusMessage: name, message: 'Later.' }))
      })
      return
    }
    const onward = request(
      new URL(askedMessage.url ?? '', server.url),
      { method: askedMessage.method, headers: askedMessage.headers },
      (foundMessage) => {
        answer.writeHead(foundMessage.statusCode ?? 500, foundMessage.headers)
        // After it was carried out, and perhaps charged.
        if (fault === 'cut answer') foundMessage.resume().once('end', () => answer.destroy())
        else foundMessage.pipe(answer)
      },
    )
    askedMessage.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
}

const recipe = JSON.stringify({
  outputs: [
    { name: 'large', format: 'webp' },
    { name: 'small', steps: [{ resize: { width: 20 } }], format: 'png' },
  ],
})

test('a server makes the same bytes as this machine, also of several outputs, and is asked only for what has changed', async (t) => {
  const pictures = { 'in/a.jpg': await jpeg(), 'in/b/c.jpg': await jpeg(), 'in/bad.jpg': 'no image' }
  const folder = await folderOf(t, { ...pictures, 'recipe.json': recipe })
  const before = await chargedCallCount()
  for (const [args, files, calls] of [
    [['--width', '30', '--format', 'webp'], ['a.webp', 'b/c.webp'], 2],
    [['--recipe', 'recipe.json'], ['a-large.webp', 'a-small.png', 'b/c-large.webp', 'b/c-small.png'], 6],
  ] as const) {
    await convert(folder, 'in', '--out', `here-${calls}`, ...args)
    const there = ['in', '--out', `there-${calls}`, ...args, '--server', server.url, '--key', server.key]
    const ran = await convert(folder, ...there)
    assert.deepEqual([ran.code, counts(ran)], [1, { done: 2, failed: 1 }], ran.errors)
    assert.equal(ran.lines().find(({ error }) => error)?.error?.code, 'invalid_image_type')
    for (const file of files)
      assert.deepEqual(
        await readFile(join(folder, `there-${calls}`, file)),
        await readFile(join(folder, `here-${calls}`, file)),
        file,
      )
    assert.deepEqual(counts(await convert(folder, ...there)), { unchanged: 2, failed: 1 })
    assert.equal((await chargedCallCount()) - before, calls, 'a call for each result')
  }
})

test('a server optimizes to the same bytes as this machine, also several widths', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(200, 100) })
  const remote = ['--server', server.url, '--key', server.key]
  for (const [args, file] of [
    [['optimize', 'in', '--quality', '60'], 'a.jpg'],
    [['convert', 'in', '--widths', '20,40', '--format', 'webp,png'], 'a-40.png'],
  ] as const) {
    assert.equal((await pixelmill([...args, '--out', 'here'], { cwd: folder })).code, 0)
    const ran = await pixelmill([...args, '--out', 'there', ...remote], { cwd: folder })
    assert.equal(ran.code, 0, ran.errors)
    assert.deepEqual(await readFile(join(folder, 'there', file)), await readFile(join(folder, 'here', file)), file)
  }
})

test('limits, restarts and a broken connection are tried again, and an image is charged once', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/b.jpg': await jpeg(), 'in/c.jpg': await jpeg() })
  const url = await proxy(t, ['limited', 'cut answer', undefined, 'restarting', undefined])
  const before = await chargedCallCount()
  const ran = await convert(folder, 'in', '--out', 'out', '--format', 'webp', '--server', url, '--key', server.key)
  assert.deepEqual([ran.code, counts(ran)], [0, { done: 3 }], ran.errors)
  assert.equal((await chargedCallCount()) - before, 3)
})

test('a wrong key ends the run before anything is done, with a sentence and exit code 2', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/b.jpg': await jpeg() })
  const env = { PIXELMILL_SERVER: server.url, PIXELMILL_KEY: 'sk_wrong' }
  const ran = await pixelmill(['convert', 'in', '--out', 'out'], { cwd: folder, env })
  assert.match(ran.errors, /^stopped {2}The server refuses: [^\n]+\n$/)
  assert.equal(ran.code, 2)
  assert.deepEqual(
    (await readdir(join(folder, 'out'))).filter((name) => !name.startsWith('.')),
    [],
  )
})

test('what is no Pixelmill is said', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg() })
  const other = createServer((askedMessage, answer) =>
    askedMessage.resume().once('end', () => answer.writeHead(404).end('<html>')),
  ).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const ran = await pixelmill(['convert', 'a.jpg', '--out', 'out', '--server', url, '--key', 'k'], { cwd: folder })
  assert.deepEqual([ran.code, ran.errors], [2, `stopped  ${url} answered with status 404: it is no Pixelmill.\n`])
})

test('serve listens where --port, --host and --data say, whatever the environment says', async (t) => {
  const folder = await folderOf(t, { '.env': 'PORT=1\n' })
  const env = { PORT: '1', HOST: '0.0.0.0', DATA_DIR: join(folder, 'other'), METRICS_TOKEN, RENDERERS: '1' }
  const { child, ended } = start(['serve', '--port', '0', '--host', '127.0.0.1', '--data', 'own'], { cwd: folder, env })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const address = () => /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
  assert.ok(await until(async () => address() !== undefined, 60_000), output)
  assert.equal((await fetch(`${address()}/healthz`)).status, 200)
  child.kill('SIGTERM')
  assert.equal((await ended).code, 0)
  assert.deepEqual((await readdir(folder)).toSorted(), ['.env', 'own'])
})
