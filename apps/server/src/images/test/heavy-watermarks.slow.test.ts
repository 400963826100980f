import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { caller } from '../../../test/support/call.ts'
import { peakMemoryDuring } from '../../../test/support/peak-memory.ts'
import { startServer } from '../../../test/support/server.ts'

const MiB = 1024 * 1024
/** Six renderers have 42 MB each and one more decodes 45 megapixels in 840: 1,050 in all, with a reserve; two at once take 1,890. */
const ONE_AT_A_TIME = 1_400 * MiB

test('watermarks of 45 megapixels count like images against the limit of memory', {
  skip: skipByDay || (process.platform !== 'linux' && 'Linux only'),
}, async () => {
  await using server = await startServer({ RENDERERS: '3' })
  const image = await solid(200, 200, '#123456').png().toBuffer()
  const watermark = await solid(6_700, 6_700, '#123456').avif({ effort: 0 }).toBuffer()
  assert.ok(watermark.length < 10_000, 'two kilobytes on the wire are enough')
  const answers = Promise.all(
    Array.from({ length: 3 }, () => caller(server).post('watermark', { scale: 1 }, { image, watermark })),
  )
  const peak = await peakMemoryDuring(server, answers)
  assert.deepEqual(new Set((await answers).map(({ status }) => status)), new Set([200]))
  assert.ok(peak < ONE_AT_A_TIME, `${Math.round(peak / MiB)} MiB in all renderers`)
})
