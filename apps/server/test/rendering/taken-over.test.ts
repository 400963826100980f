import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { rendererCrashed } from '@pixelmill/engine/rendering/renderer-process'
import { operations } from '@pixelmill/engine/tasks/index'
import { openPool, saying, sayingEach } from '../support/rendering.ts'

const small = await solid(20, 20, '#123456').png().toBuffer()

const params = operations.convert.params.parse({ format: 'webp' })

const image = { outcome: 'done', task: 'convert', report: { format: 'heic', width: 1, height: 1, warnings: [] } }
const copiedValue = { width: 1, height: 1, format: 'png', frames: 1, alpha: false, drawn: false }
const lies: Readonly<Record<string, object>> = {
  'an unknown error': { outcome: 'error', code: 'nonsense', message: 'x' },
  'an unknown outcome': { outcome: 'nonsense' },
  'that it is ready once more': { outcome: 'ready' },
  'an image, and sends none': image,
  'a PNG for heif-enc, which is not here': { ...image, finish: {}, files: [20] },
  'a report of another task': { outcome: 'done', task: 'modelCopy', report: copiedValue },
}

test('a renderer that answers what it may not loses its image alone, and is replaced', async (t) => {
  const restarts: string[] = []
  const pool = openPool(
    { spawn: sayingEach(...Object.values(lies).map((lie) => [lie])) },
    { onRestart: (reason) => restarts.push(reason) },
  )
  t.after(() => pool.close())
  const render = () => pool.run('convert', params, [[small]], new AbortController().signal)
  for (const lie of Object.keys(lies)) {
    await assert.rejects(render(), (error) => rendererCrashed(error), `it answered ${lie}`)
    assert.deepEqual(restarts.splice(0), ['crash'], `it answered ${lie}`)
  }
  assert.equal((await render()).report.width, 20)
})

const lightAsHeavy = { outcome: 'heavy', megapixels: 20 }

test('a renderer that answers that a light image is heavy ends it alone', async (t) => {
  const pool = openPool({ spawn: () => saying({ outcome: 'ready' }, lightAsHeavy) })
  t.after(() => pool.close())
  const render = pool.run('convert', params, [[small]], new AbortController().signal, 'background')
  await assert.rejects(render, (error) => rendererCrashed(error))
})

test('a renderer that answers that short work is long has it done by another, once', async (t) => {
  const spawnedNumbers: number[] = []
  const pool = openPool({
    spawn() {
      spawnedNumbers.push(spawnedNumbers.length)
      return saying({ outcome: 'ready' }, lightAsHeavy)
    },
  })
  t.after(() => pool.close())
  await assert.rejects(pool.run('convert', params, [[small]], new AbortController().signal), (error) => rendererCrashed(error))
  assert.equal(pool.state('long').busy + pool.state('long').queued, 0)
  assert.ok(spawnedNumbers.length >= 2, String(spawnedNumbers.length))
})

const misreports: Readonly<Record<string, object>> = {
  'an image': { ...image, files: [20] },
  'the report of an image': { ...image, task: 'modelCopy' },
  'a report of another shape': { outcome: 'done', task: 'modelCopy', report: { ...copiedValue, width: '1' } },
  'a report of an unknown task': { outcome: 'done', task: 'toString', report: copiedValue },
  'a copy of a hundred megabytes': { outcome: 'done', task: 'modelCopy', report: copiedValue, files: [100_000_000] },
  'more files than the task has': { outcome: 'done', task: 'modelCopy', report: copiedValue, files: [1, 1] },
}

test('a renderer that answers another task than convert wrongly loses its image alone, and is replaced', async (t) => {
  const pool = openPool({ spawn: sayingEach(...Object.values(misreports).map((lie) => [lie])) })
  t.after(() => pool.close())
  const copy = () => pool.run('modelCopy', {}, [[small]], new AbortController().signal)
  for (const lie of Object.keys(misreports))
    await assert.rejects(copy(), (error) => rendererCrashed(error), `it answered with ${lie}`)
  assert.equal((await copy()).report.width, 20)
})

test('a renderer that answers before it has its files ends its image: its caller may free the files once the answer is there', async (t) => {
  const early = { ...image, report: { ...image.report, format: 'webp' }, files: [20] }
  const pool = openPool({ spawn: sayingEach([early]) })
  t.after(() => pool.close())
  const file = [Buffer.alloc(32 * 1024 * 1024)]
  await assert.rejects(pool.run('convert', params, [file], new AbortController().signal), ({ cause }) =>
    /before it had read/.test(cause),
  )
  assert.equal((await pool.run('convert', params, [[small]], new AbortController().signal)).report.width, 20)
})
