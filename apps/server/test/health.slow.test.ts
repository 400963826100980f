import assert from 'node:assert/strict'
import { test } from 'node:test'
import { health } from './support/health.ts'
import { listen } from './support/listener.ts'

test('a server that hangs is not healthy: health prints one line with the reason', async () => {
  await using other = await listen(() => {})
  assert.deepEqual(await health({ PORT: String(other.port) }), [1, 'no answer in 4 s'])
})
