import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { longestSeconds } from '../../src/tasks/estimate.ts'
import { operations, tasks } from '../../src/tasks/index.ts'
import { photo, solid } from '../support/pictures.ts'
import { openPool, renderersIn, saying } from '../support/rendering.ts'
import { until } from '../support/until.ts'

const wish = { mode: 'denoise', intensity: 3, preview: false } as const
const signal = new AbortController().signal
const { secondsPerMegapixel = 0 } = tasks.enhance

test('what takes long by its pixels has the time that they give it, beyond the time-out of others', async (t) => {
  const restarts: string[] = []
  const pool = openPool({ timeoutSeconds: 0.5 }, { onRestart: (reason) => restarts.push(reason) })
  t.after(() => pool.close())
  const { report } = await pool.run('enhance', wish, [[await photo(2_500, 2_000).png().toBuffer()]], signal)
  assert.equal(report.original.width, 2_500)
  // It takes three times the time-out: on a busy machine the look at the process's time comes late.
  const params = operations.convert.params.parse({ format: 'avif', width: 5_000 })
  await assert.rejects(pool.run('convert', params, [[await photo(4_000, 3_000).jpeg().toBuffer()]], signal), {
    code: 'conversion_failed',
  })
  assert.deepEqual(restarts, ['timeout'])
})

test('it is ended once its own pixels give it no more', async (t) => {
  const small = await solid(20, 20, '#123456').png().toBuffer()
  const megapixels = 0.5
  const restarts: string[] = []
  const pool = openPool(
    { timeoutSeconds: 0.2, spawn: () => saying({ outcome: 'ready' }, { outcome: 'heavy', megapixels }) },
    { onRestart: (reason) => restarts.push(reason) },
  )
  t.after(() => pool.close())
  const began = performance.now()
  await assert.rejects(pool.run('enhance', wish, [[small]], signal, 'background'), { code: 'conversion_failed' })
  assert.ok(performance.now() - began >= secondsPerMegapixel * megapixels * 1_000)
  assert.equal(restarts[0], 'timeout')
})

test('the kernel lets a renderer use what the longest may take, on all its threads', {
  skip: process.platform !== 'linux' && 'Linux only',
}, async (t) => {
  const longest = longestSeconds(60)
  assert.ok(longest >= 60 && longest >= 40 * secondsPerMegapixel, String(longest))
  assert.equal(longestSeconds(3_600), 3_600)
  const pool = openPool()
  t.after(() => pool.close())
  assert.ok(await until(async () => pool.ready(), 20_000))
  const [pid] = await renderersIn('sync')
  const [, limit = ''] = /Max cpu time\s+(\w+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? []
  assert.ok(limit === 'unlimited' || Number(limit) >= 3_600 + 9 * longest, limit)
})
