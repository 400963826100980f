import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { listen } from './support/listener.ts'
import { shareServer } from './support/shared-server.ts'

const PROGRAM = join(import.meta.dirname, '../bin/pixelmill.mjs')

/** Runs `health` with nothing in its environment but these settings. */
const health = (settings: Readonly<Record<string, string>>): Promise<readonly [code: number, line: string]> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings }
    execFile(process.execPath, [PROGRAM, 'health'], { env }, (error, output) =>
      resolve([Number(error?.code ?? 0), output.trim()]),
    )
  })

test('a server that is ready is healthy, and 0.0.0.0 is asked through 127.0.0.1', async () => {
  await using server = await shareServer({ RENDERERS: '1' })
  const { port: PORT } = new URL(server.url)
  assert.deepEqual(await health({ PORT, HOST: '0.0.0.0' }), [0, 'ready'])
  assert.deepEqual(await health({ PORT, HOST: '127.0.0.1' }), [0, 'ready'])
  // Only the port for probes is asked, where there is one.
  const [code, line] = await health({ PORT, METRICS_PORT: '1' })
  assert.equal(code, 1)
  assert.match(line, /127\.0\.0\.1:1$/)
})

const refusal = JSON.stringify({ statusCode: 503, statusMessage: 'database_unavailable', message: 'Not ready: database.' })
const answers: readonly (readonly [name: string, status: number, text: string | undefined, line: RegExp])[] = [
  ['a server that lacks a part', 503, refusal, /\/readyz: Not ready: database\.$/],
  ['a server of another program', 404, '<html>', /\/readyz: status 404$/],
  ['an answer without an end', 503, `"${'x'.repeat(1_000_000)}`, /\/readyz: status 503$/],
  ['a server that hangs', 200, undefined, /^no answer in 4 s$/],
]
for (const [name, status, text, line] of answers) {
  test(`${name} is not healthy, and one line says why`, async () => {
    await using other = await listen((_request, response) => {
      if (text !== undefined) response.writeHead(status).end(text)
    })
    const [code, said] = await health({ PORT: String(other.port) })
    assert.equal(code, 1)
    assert.match(said, line)
  })
}

const settings: readonly (readonly [settings: Readonly<Record<string, string>>, line: RegExp])[] = [
  [{ ROLE: 'worker' }, /METRICS_PORT/],
  [{ PORT: '0' }, /port 0/],
  [{ PORT: 'abc' }, /^PORT must be a whole number/],
]
for (const [given, line] of settings) {
  test(`${JSON.stringify(given)} cannot be asked, and one line says why`, async () => {
    const [code, said] = await health(given)
    assert.equal(code, 1)
    assert.match(said, line)
    assert.equal(said.split('\n').length, 1)
  })
}
