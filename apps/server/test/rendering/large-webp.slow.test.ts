import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { operations } from '@pixelmill/engine/tasks/index'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())

test('a WebP is decoded in memory, however large: a renderer can write no file', async () => {
  const webp = await solid(8_000, 5_000, '#123456').webp({ lossless: true, effort: 0 }).toBuffer()
  const params = operations.convert.params.parse({ format: 'jpeg' })
  const { report } = await pool.run('convert', params, [[webp]], new AbortController().signal)
  assert.deepEqual([report.width, report.height], [8_000, 5_000])
})
