import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renameQuestion } from '../../tasks/rename.ts'

const read = (saidValue: object) => renameQuestion('IMG_1.jpg', 'data:image/jpeg;base64,/9j/4AAQ').schema.parse(saidValue)

test('of other names three are taken, different and not empty, from the first dozen', () => {
  const alternatives = (names: readonly unknown[]) => read({ subject: 'red bicycle', alternatives: names }).alternatives
  assert.deepEqual(alternatives(['a', '', 'b', 'a', ' ', 'c', 'd']), ['a', 'b', 'c'])
  assert.deepEqual(alternatives([...Array(12).fill('a'), ...Array(20_000).fill('b')]), ['a'])
  assert.deepEqual(alternatives(['a', 5]), [])
})

test('a name that says nothing is none', () => {
  for (const saidValue of [{}, { subject: '' }, { subject: '\u200b' }, { subject: ['a'] }])
    assert.throws(() => read(saidValue), /subject is missing/)
})
