import assert from 'node:assert/strict'
import { test } from 'node:test'
import { health } from './support/health.ts'
import { listen } from './support/listener.ts'
import { shareServer } from './support/shared-server.ts'

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
const answers: readonly (readonly [name: string, status: number, text: string, line: RegExp])[] = [
  ['a server that lacks a part', 503, refusal, /\/readyz: Not ready: database\.$/],
  ['a server of another program', 404, '<html>', /\/readyz: status 404$/],
  ['an answer without an end', 503, `"${'x'.repeat(1_000_000)}`, /\/readyz: status 503$/],
]
for (const [name, status, text, line] of answers) {
  test(`${name} is not healthy: health prints one line with the reason`, async () => {
    await using other = await listen((_request, response) => {
      response.writeHead(status).end(text)
    })
    const [code, printedText] = await health({ PORT: String(other.port) })
    assert.equal(code, 1)
    assert.match(printedText, line)
  })
}

const settings: readonly (readonly [settings: Readonly<Record<string, string>>, line: RegExp])[] = [
  [{ ROLE: 'worker', METRICS_PORT: '1' }, /127\.0\.0\.1:1/],
  [{ PORT: '0' }, /port 0/],
  [{ PORT: 'abc' }, /^PORT must be a whole number/],
]
for (const [givenItem, line] of settings) {
  test(`${JSON.stringify(givenItem)} names no server: health prints one line with the reason`, async () => {
    const [code, printedText] = await health(givenItem)
    assert.equal(code, 1)
    assert.match(printedText, line)
    assert.equal(printedText.split('\n').length, 1)
  })
}
