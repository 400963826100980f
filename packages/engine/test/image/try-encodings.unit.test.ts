import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinTime } from '../../src/image/try-encodings.ts'

/** Pieces that are expected to take so long, and take so many times as long. */
async function triesOf(expected: readonly number[], most: number, pace: number) {
  let now = 0
  const pieces = expected.map((seconds, index) => ({
    seconds,
    work: async () => {
      now += seconds * pace
      return index
    },
  }))
  return (await withinTime(pieces, most, () => now)).map((result) => result ?? '-').join('')
}

test('all is done for which there is time', async () => assert.equal(await triesOf([1, 1, 1], 3, 1), '012'))
test('the first is done in any case', async () => assert.equal(await triesOf([9, 1], 3, 1), '0-'))
test('what would end too late is left out, what is shorter is not', async () =>
  assert.equal(await triesOf([1, 5, 1], 3, 1), '0-2'))
test('on a slower machine fewer are done', async () => assert.equal(await triesOf([1, 1, 1, 1], 4, 2), '01--'))
test('on a faster one more are', async () => assert.equal(await triesOf([4, 4, 4, 4], 4, 0.25), '0123'))
