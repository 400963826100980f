import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { operations } from '../../src/operations/index.ts'
import { solid } from '../support/pictures.ts'
import { openPool, saying, spawnReal } from '../support/rendering.ts'
import { until } from '../support/until.ts'

const small = await solid(20, 20, '#123456').png().toBuffer()
const convert = { operation: 'convert', params: operations.convert.params.parse({ format: 'webp' }) } as const
const answer = { outcome: 'image', codec: 'webp', width: 1, height: 1, files: [1] }

/** So that what is due and what has arrived meanwhile come in one turn of the event loop, timers first. */
function holdUp(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a renderer that is killed as abandoned when its answer is on the way is given no other image', async (t) => {
  const restarts: string[] = []
  let started = 0
  const pool = openPool(
    { spawn: () => (started++ === 0 ? saying({ outcome: 'ready' }, answer) : spawnReal()) },
    { onRestart: (reason) => restarts.push(reason) },
  )
  t.after(() => pool.close())
  assert.ok(await until(async () => pool.ready()))
  const leaving = new AbortController()
  const abandoned = pool.render(convert, [[small]], leaving.signal)
  const next = pool.render(convert, [[small]], new AbortController().signal)
  // What was asked for in this phase of the event loop has its timers before what has arrived.
  await turn()
  leaving.abort(new Error('gone'))
  holdUp(1_000)
  await Promise.allSettled([abandoned])
  assert.equal((await next).width, 20)
  assert.deepEqual(restarts, ['abandoned'])
})
