import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { operations } from '@pixelmill/engine/tasks/index'
import { until } from '@pixelmill/engine/test/support/until'
import { openPool, sayingEach } from '../support/rendering.ts'

const small = await solid(20, 20, '#123456').png().toBuffer()
const params = operations.convert.params.parse({ format: 'webp' })
const answer = {
  outcome: 'done',
  task: 'convert',
  files: [1],
  report: { format: 'webp', width: 1, height: 1, warnings: [] },
}

/** So that what is due and what has arrived meanwhile come in one turn of the event loop, timers first. */
function holdUp(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a renderer that is killed as abandoned when its answer is on the way is given no other image', async (t) => {
  const restarts: string[] = []
  const pool = openPool({ spawn: sayingEach([answer]) }, { onRestart: (reason) => restarts.push(reason) })
  t.after(() => pool.close())
  assert.ok(await until(async () => pool.ready()))
  const leaving = new AbortController()
  // What is asked for in this phase of the event loop has its timers before what arrives.
  await turn()
  const abandonedResult = pool.run('convert', params, [[small]], leaving.signal)
  const next = pool.run('convert', params, [[small]], new AbortController().signal)
  leaving.abort(new Error('gone'))
  holdUp(1_000)
  await Promise.allSettled([abandonedResult])
  assert.equal((await next).report.width, 20)
  assert.deepEqual(restarts, ['abandoned'])
})
