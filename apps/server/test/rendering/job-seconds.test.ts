import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { longestSeconds } from '@pixelmill/engine/tasks/estimate'
import { operations, tasks } from '@pixelmill/engine/tasks/index'
import { until } from '@pixelmill/engine/test/support/until'
import { openPool, renderersIn, saying } from '../support/rendering.ts'

const denoising = { mode: 'denoise', intensity: 3, preview: false } as const
const signal = new AbortController().signal
const { secondsPerMegapixel = 0 } = tasks.enhance

test('a task with seconds for each megapixel has that time, beyond the time limit of other tasks', async (t) => {
  const restarts: string[] = []
  const pool = openPool({ timeoutSeconds: 0.2 }, { onRestart: (reason) => restarts.push(reason) })
  t.after(() => pool.close())
  const large = await photo(2_800, 1_800).png().toBuffer()
  assert.ok(await until(async () => pool.ready()))
  const began = performance.now()
  const { report } = await pool.run('enhance', denoising, [[large]], signal)
  assert.equal(report.original.width, 2_800)
  assert.ok(performance.now() - began > 200)
  // It takes several times the time limit: on a busy machine the process's time is looked at late.
  const params = operations.convert.params.parse({ format: 'avif', width: 5_000 })
  await assert.rejects(pool.run('convert', params, [[await photo(400, 300).jpeg().toBuffer()]], signal), {
    code: 'conversion_failed',
  })
  assert.deepEqual(restarts, ['timeout'])
})

test('such a task is ended when the time for its megapixels is over', async (t) => {
  const small = await solid(20, 20, '#123456').png().toBuffer()
  const megapixels = 0.1
  const restarts: string[] = []
  const pool = openPool(
    { timeoutSeconds: 0.2, spawn: () => saying({ outcome: 'ready' }, { outcome: 'heavy', megapixels }) },
    { onRestart: (reason) => restarts.push(reason) },
  )
  t.after(() => pool.close())
  const began = performance.now()
  await assert.rejects(pool.run('enhance', denoising, [[small]], signal, 'background'), { code: 'conversion_failed' })
  assert.ok(performance.now() - began >= secondsPerMegapixel * megapixels * 1_000)
  assert.equal(restarts[0], 'timeout')
})

test('the limit of the kernel lets a renderer use the time of the longest task, on all its threads', {
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
