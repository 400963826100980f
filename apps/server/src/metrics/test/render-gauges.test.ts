import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { openPool } from '../../../test/support/rendering.ts'
import { metrics } from '../metrics.ts'

test('metrics show the images at work, by operation and lane, with the age of the oldest', async (t) => {
  const meters = metrics()
  const pool = openPool({}, { onRender: meters.onRender })
  t.after(() => pool.close())
  meters.watch({ pool })
  const value = async (line: string) =>
    (await meters.registry.metrics()).match(new RegExp(`^pixelmill_${line} (\\S+)$`, 'm'))?.[1]
  const atWork = () => value('renders_at_work\\{operation="enhance",lane="background"\\}')
  const oldest = async (lane: string) => Number(await value(`render_oldest_seconds\\{lane="${lane}"\\}`))
  assert.equal(await atWork(), undefined)

  const image = await photo(1_200, 800).png().toBuffer()
  const denoising = { mode: 'denoise', intensity: 3, preview: false } as const
  const doneResult = pool.run('enhance', denoising, [[image]], new AbortController().signal, 'background')
  assert.ok(await until(async () => (await oldest('background')) > 0.1, 20_000))
  assert.deepEqual([await atWork(), await oldest('sync')], ['1', 0])
  const earlier = await oldest('background')
  assert.ok((await oldest('background')) > earlier)

  await doneResult
  assert.deepEqual([await atWork(), await oldest('background')], [undefined, 0])
  const long = 'render_seconds_bucket\\{le="600",operation="enhance",lane="background"\\}'
  assert.equal(await value(long), '1')
})
