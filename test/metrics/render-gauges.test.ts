import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metrics } from '../../src/metrics/metrics.ts'
import { photo } from '../support/pictures.ts'
import { openPool } from '../support/rendering.ts'
import { until } from '../support/until.ts'

test('what is at work is told while it is, by operation and lane, with the age of the oldest', async (t) => {
  const meters = metrics()
  const pool = openPool({}, { onRender: meters.onRender })
  t.after(() => pool.close())
  meters.watch({ pool })
  const told = async (line: string) => (await meters.registry.metrics()).match(new RegExp(`^pixelmill_${line} (\\S+)$`, 'm'))?.[1]
  const atWork = () => told('renders_at_work\\{operation="enhance",lane="background"\\}')
  const oldest = async (lane: string) => Number(await told(`render_oldest_seconds\\{lane="${lane}"\\}`))
  assert.equal(await atWork(), undefined)

  const image = await photo(2_500, 2_000).png().toBuffer()
  const wish = { mode: 'denoise', intensity: 3, preview: false } as const
  const done = pool.run('enhance', wish, [[image]], new AbortController().signal, 'background')
  assert.ok(await until(async () => (await oldest('background')) > 0.1, 20_000))
  assert.deepEqual([await atWork(), await oldest('sync')], ['1', 0])
  const earlier = await oldest('background')
  assert.ok((await oldest('background')) > earlier)

  await done
  assert.deepEqual([await atWork(), await oldest('background')], [undefined, 0])
  const long = 'render_seconds_bucket\\{le="600",operation="enhance",outcome="report",lane="background"\\}'
  assert.equal(await told(long), '1')
})
