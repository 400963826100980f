import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { caller } from './support/call.ts'
import { readMetric } from './support/read-metric.ts'
import { startServer } from './support/server.ts'

const IMPORTS = ['../../../test/support/loopback-only.ts', 'support/faulty-listeners.ts'].map(
  (file) => `--import=${join(import.meta.dirname, file)}`,
)
const THROWERS = ['a timer', 'a listener of a signal', 'a listener of an event', 'a promise']
const TIMES = 5

test('a server outlives what timers, listeners and promises throw outside of requests: it logs, counts and goes on', async () => {
  await using server = await startServer({ RENDERERS: '1', NODE_OPTIONS: IMPORTS.join(' ') })
  const exceptionCount = (thrower: string) => readMetric(server, 'uncaught_exceptions_total', { thrower })
  for (let time = 1; time <= TIMES; time++) {
    server.child.kill('SIGUSR2')
    assert.ok(
      await until(async () => (await exceptionCount('promise')) === time && (await exceptionCount('listener')) === 3 * time),
      server.output(),
    )
  }
  const image = await solid(20, 20, '#123456').png().toBuffer()
  const { status } = await caller(server).post('convert', { format: 'webp' }, { image })
  assert.equal(status, 200)
  for (const thrower of THROWERS) {
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes(`a fault of ${thrower}"`))
    assert.equal(lines.length, TIMES, thrower)
    for (const line of lines) assert.equal((JSON.parse(line) as { level: string }).level, 'error')
  }
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})
