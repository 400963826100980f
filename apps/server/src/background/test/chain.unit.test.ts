import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import { type ChainSettings, chainOf, hundredths } from '../chain.ts'
import { AlreadyCutOut, type CutOut, type Remover, RemoverUnavailable, type Unsure } from '../remover.ts'

const cutOut: CutOut = { bytes: Buffer.from('a cut-out'), width: 3, height: 2, confidence: 0.9 }
const source = [Buffer.from('a picture')]

type Behaviour = (options: Parameters<Remover['remove']>[1], signal: AbortSignal) => CutOut | Unsure | Promise<CutOut>

const fails = (error: Error) => (): CutOut => {
  throw error
}
const unavailable = fails(new RemoverUnavailable('it is down'))
/** As the local remover: a file where its confidence is as high as asked for. */
const sure =
  (confidence: number): Behaviour =>
  ({ least }) =>
    confidence < least ? { confidence } : { ...cutOut, confidence }

/** A chain whose removers behave so, which of them were asked, and the outcomes. */
function chain(behaviours: Readonly<Record<Remover['name'], Behaviour>>, settings: Partial<ChainSettings> = {}) {
  const askedTexts: string[] = []
  const passedOver: string[] = []
  const remover = (name: Remover['name']): Remover => ({
    name,
    remove: async (_, options, signal) => behaviours[name](options, signal),
  })
  const removers = chainOf(
    { least: 0.7, lowConfidence: 'refuse', ...settings },
    [remover('external'), remover('model')],
    remover('local'),
    {
      onRemover: (name, outcome) => void askedTexts.push(`${name} ${outcome}`),
      onUnavailable: (name, { message }) => void passedOver.push(`${name}: ${message}`),
    },
  )
  const remove = (signal = new AbortController().signal) =>
    removers.remove(source, { format: 'png', account: 'an account' }, signal)
  return { remove, asked: askedTexts, passedOver }
}

test('the first remover with a result is used, whatever its confidence', async () => {
  const { remove, asked } = chain({ external: () => ({ ...cutOut, confidence: 0.2 }), model: unavailable, local: sure(1) })
  const { remover, confidence } = await remove()
  assert.deepEqual([remover, confidence, asked], ['external', 0.2, ['external cut_out']])
})

test('a remover that is unavailable or unsure is passed over, and the first case is reported', async () => {
  const { remove, asked, passedOver } = chain({ external: unavailable, model: () => ({ confidence: 0 }), local: sure(0.8) })
  assert.equal((await remove()).remover, 'local')
  assert.deepEqual(asked, ['external unavailable', 'model unsure', 'local cut_out'])
  assert.deepEqual(passedOver, ['external: it is down'])
})

test('a picture that is cut out already is left to the local remover', async () => {
  for (const external of [fails(new AlreadyCutOut()), unavailable]) {
    const { remove, asked } = chain({ external, model: fails(new AlreadyCutOut()), local: sure(1) })
    assert.equal((await remove()).remover, 'local')
    assert.equal(asked.at(-1), 'local cut_out')
    assert.equal(asked.filter((one) => one.endsWith('already_cut_out')).length, 1)
  }
})

test('an error of the image or of the server ends the chain', async () => {
  for (const error of [new ApiError('invalid_image'), new TypeError('a fault')]) {
    const { remove, asked } = chain({ external: fails(error), model: sure(1), local: sure(1) })
    await assert.rejects(remove(), error)
    assert.deepEqual(asked, ['external failed'])
  }
})

test('the last remover must be confident, unless low confidence is to be returned', async () => {
  const behaviours = { external: unavailable, model: unavailable, local: sure(0.699) }
  await assert.rejects(chain(behaviours).remove(), (error) => {
    assert.ok(isRefusal(error))
    assert.deepEqual([error.code, error.facts], ['background_not_separable', { confidence: 0.69 }])
    return true
  })
  assert.equal((await chain(behaviours, { least: 0.6 }).remove()).confidence, 0.699)
  assert.equal((await chain(behaviours, { lowConfidence: 'return' }).remove()).confidence, 0.699)
})

test('a caller that hangs up ends the remover’s work, and no other is asked', async () => {
  for (const error of [new RemoverUnavailable('it was broken off'), new ApiError('conversion_failed')]) {
    const leaving = new AbortController()
    const external: Behaviour = () => {
      leaving.abort(new Error('the client has gone'))
      throw error
    }
    const { remove, asked, passedOver } = chain({ external, model: sure(1), local: sure(1) })
    await assert.rejects(remove(leaving.signal), /the client has gone/)
    assert.deepEqual([asked, passedOver], [['external abandoned'], []])
  }
})

test('a confidence is answered in hundredths, rounded down', () => {
  assert.deepEqual([0, 0.29, 0.57, 0.699, 0.7, 0.999, 1].map(hundredths), [0, 0.29, 0.57, 0.69, 0.7, 0.99, 1])
})
