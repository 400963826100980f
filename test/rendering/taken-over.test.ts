import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { rendererCrashed } from '../../src/rendering/renderer-process.ts'
import { operations } from '../../src/tasks/index.ts'
import { solid } from '../support/pictures.ts'
import { openPool, saying, sayingFirst } from '../support/rendering.ts'

const programs = join(import.meta.dirname, 'programs')
const small = await solid(20, 20, '#123456').png().toBuffer()

const params = operations.convert.params.parse({ format: 'webp' })

const image = { outcome: 'done', task: 'convert', report: { format: 'heic', width: 1, height: 1, warnings: [] } }
const copied = { width: 1, height: 1, format: 'png', frames: 1, alpha: false, drawn: false }
const lies: Readonly<Record<string, object>> = {
  'an unknown error': { outcome: 'error', code: 'nonsense', message: 'x' },
  'an unknown outcome': { outcome: 'nonsense' },
  'that it is ready once more': { outcome: 'ready' },
  'an image, and sends none': image,
  'a PNG for heif-enc, which is not here': { ...image, finish: {}, files: [20] },
  'a report that nobody asked for': { outcome: 'done', task: 'modelCopy', report: copied },
}
for (const [lie, answer] of Object.entries(lies)) {
  test(`a renderer that answers ${lie} ends its image alone, and is replaced`, async (t) => {
    const restarts: string[] = []
    const pool = openPool({ spawn: sayingFirst({ outcome: 'ready' }, answer) }, { onRestart: (reason) => restarts.push(reason) })
    t.after(() => pool.close())
    const render = () => pool.run('convert', params, [[small]], new AbortController().signal)
    await assert.rejects(render(), (error) => rendererCrashed(error))
    assert.deepEqual(restarts, ['crash'])
    assert.equal((await render()).report.width, 20)
  })
}

const byNothing = { outcome: 'heavy', megapixels: 20 }

test('a renderer that answers that an image is heavier than what may be light, by nothing, ends it alone', async (t) => {
  const pool = openPool({ spawn: () => saying({ outcome: 'ready' }, byNothing) })
  t.after(() => pool.close())
  const render = pool.run('convert', params, [[small]], new AbortController().signal, 'background')
  await assert.rejects(render, (error) => rendererCrashed(error))
})

test('a renderer that says of short work that it is long has it done by another, once', async (t) => {
  const spawned: number[] = []
  const pool = openPool({
    spawn() {
      spawned.push(spawned.length)
      return saying({ outcome: 'ready' }, byNothing)
    },
  })
  t.after(() => pool.close())
  await assert.rejects(pool.run('convert', params, [[small]], new AbortController().signal), (error) => rendererCrashed(error))
  assert.equal(pool.state('long').busy + pool.state('long').queued, 0)
  assert.ok(spawned.length >= 2, String(spawned.length))
})

const misreports: Readonly<Record<string, object>> = {
  'an image': { ...image, files: [20] },
  'the report of an image': { ...image, task: 'modelCopy' },
  'a report of another shape': { outcome: 'done', task: 'modelCopy', report: { ...copied, width: '1' } },
  'a report of an unknown task': { outcome: 'done', task: 'toString', report: copied },
  'a copy of a hundred megabytes': { outcome: 'done', task: 'modelCopy', report: copied, files: [100_000_000] },
  'more files than the task has': { outcome: 'done', task: 'modelCopy', report: copied, files: [1, 1] },
}
for (const [lie, answer] of Object.entries(misreports)) {
  test(`a renderer that answers another task with ${lie} ends it alone, and is replaced`, async (t) => {
    const pool = openPool({ spawn: sayingFirst({ outcome: 'ready' }, answer) })
    t.after(() => pool.close())
    const copy = () => pool.run('modelCopy', {}, [[small]], new AbortController().signal)
    await assert.rejects(copy(), (error) => rendererCrashed(error))
    assert.equal((await copy()).report.width, 20)
  })
}

test('a renderer that answers before it has its files ends its image: who has the answer may free them', async (t) => {
  const early = { ...image, report: { ...image.report, format: 'webp' }, files: [20] }
  const pool = openPool({ spawn: sayingFirst({ outcome: 'ready' }, early) })
  t.after(() => pool.close())
  const file = [Buffer.alloc(128 * 1024 * 1024)]
  await assert.rejects(pool.run('convert', params, [file], new AbortController().signal), ({ cause }) =>
    /before it had read/.test(cause),
  )
  assert.equal((await pool.run('convert', params, [[small]], new AbortController().signal)).report.width, 20)
})

test('without a file descriptor left no renderer starts, nor another program; with some again both do', () => {
  const program = join(programs, 'run-out-of-files.ts')
  const command = ['-c', 'ulimit -n 100 && exec "$@"', 'sh', process.execPath, program]
  const { stdout, stderr, status } = spawnSync('sh', command, { encoding: 'utf8', timeout: 30_000 })
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), ['EMFILE', 'start: no file descriptor is left to start a renderer', 'idle', 'ended'])
  assert.equal(status, 0)
})
