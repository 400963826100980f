import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RendererEnd } from '@pixelmill/engine/rendering/renderer-process'
import { until } from '@pixelmill/engine/test/support/until'
import { ApiError } from '../../contract/api-error.ts'
import { type ModelState, ModelUnavailable, watchModel } from '../watched-model.ts'

const never = new AbortController().signal

/** A model whose trials end as the test says, one after another. */
function watchedModel(ends: readonly (() => Promise<string>)[], againSeconds = 3_600) {
  const states: ModelState<string>[] = []
  let trials = 0
  const model = watchModel(
    () => (ends[trials++] ?? (() => Promise.reject(new Error('a trial too many'))))(),
    { timeoutSeconds: 7, againSeconds },
    (state) => states.push(state),
  )
  return { model, states, trials: () => trials }
}
const works = async () => 'facts'
const endsWith = (reason: 'timeout' | 'memory' | 'crash') => async () => {
  throw new ApiError('conversion_failed', { cause: new RendererEnd(reason, 'details') })
}
const modelAnswer = async () => {
  throw new ApiError('conversion_failed', { cause: 'it takes no picture' })
}

test('work waits for the trial, and is given what it found', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { model, states } = watchedModel([() => promise])
  const result = model.use(async (facts) => facts.toUpperCase(), never)
  assert.deepEqual(model.state(), { state: 'loading' })
  resolve('facts')
  assert.equal(await result, 'FACTS')
  assert.deepEqual(states, [{ state: 'ready', facts: 'facts' }])
})

const reasons: readonly (readonly [() => Promise<string>, string])[] = [
  [modelAnswer, 'it takes no picture'],
  [endsWith('timeout'), 'it did not answer within 7 s'],
  [endsWith('memory'), 'MODEL_MEMORY_MB is not enough for it'],
  [endsWith('crash'), 'its renderer ended: crash'],
  [() => Promise.reject(new Error('/secret/path')), 'it could not be tried'],
]
for (const [trial, why] of reasons) {
  test(`a failed trial reports: ${why}`, async () => {
    const { model } = watchedModel([trial])
    await assert.rejects(model.use(works, never), new ModelUnavailable(why))
    assert.deepEqual(model.state(), { state: 'failed', why })
  })
}

test('after a failed trial no request waits: a later one starts the next trial in the background', async () => {
  const { model, trials } = watchedModel([modelAnswer, works], 0.05)
  await assert.rejects(model.use(works, never), ModelUnavailable)
  await assert.rejects(model.use(works, never), new ModelUnavailable('it takes no picture'))
  assert.equal(trials(), 1)
  assert.ok(await until(async () => (await model.use(works, never).catch(() => undefined)) === 'facts', 5_000))
  assert.equal(trials(), 2)
})

test('work that fails is done without the model, and starts another trial', async () => {
  const { model, trials } = watchedModel([works, modelAnswer])
  await assert.rejects(model.use(endsWith('crash'), never), new ModelUnavailable('its renderer ended: crash'))
  await assert.rejects(model.use(works, never), new ModelUnavailable('it takes no picture'))
  assert.equal(trials(), 2)
})

test('a full queue does not fail the model', async () => {
  const { model, trials } = watchedModel([works])
  const busy = async () => {
    throw new ApiError('server_busy')
  }
  await assert.rejects(model.use(busy, never), new ModelUnavailable('it is busy'))
  assert.deepEqual([model.state().state, trials()], ['ready', 1])
})

test("the image's fault stays the image's fault", async () => {
  const { model, trials } = watchedModel([works])
  const damagedAnswer = async () => {
    throw new ApiError('invalid_image')
  }
  await assert.rejects(model.use(damagedAnswer, never), { code: 'invalid_image' })
  assert.deepEqual([model.state().state, trials()], ['ready', 1])
})

test('a request aborted during a trial does not wait for it, and one aborted during work does not fail the model', async () => {
  const leaving = new AbortController()
  const { model, trials } = watchedModel([works])
  await model.use(works, never)
  const left = model.use(async () => {
    leaving.abort(new Error('left'))
    return endsWith('crash')()
  }, leaving.signal)
  await assert.rejects(left, /left/)
  assert.equal(trials(), 1)
  const { model: slow } = watchedModel([() => new Promise(() => {})])
  await assert.rejects(slow.use(works, AbortSignal.abort(new Error('gone'))), /gone/)
})

test('an aborted trial reports no state', async () => {
  const states: unknown[] = []
  const trial = (signal: AbortSignal) =>
    new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const model = watchModel(trial, { timeoutSeconds: 1 }, (state) => states.push(state))
  await Promise.resolve()
  model.close()
  await assert.rejects(model.use(works, never), ModelUnavailable)
  assert.deepEqual(states, [])
})
