import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldUploads } from '../../src/rendering/queue-capacity.ts'

test('when memory is short, the upload that has been arriving for longest is given up', () => {
  const uploads = heldUploads(100)
  const given: string[] = []
  const begin = (name: string) => uploads.begin(() => given.push(name))
  const [first, second, third] = [begin('first'), begin('second'), begin('third')]
  first.add(40)
  second.add(60)
  assert.deepEqual([given, uploads.full()], [[], true])
  third.add(1)
  assert.deepEqual([given, uploads.bytes(), uploads.full()], [['first'], 61, false])
  first.add(10)
  first[Symbol.dispose]()
  assert.equal(uploads.bytes(), 61, 'what was given up counts no longer')
  second[Symbol.dispose]()
  third[Symbol.dispose]()
  assert.equal(uploads.bytes(), 0)
})

test('what has arrived whole is kept, and the one that brings too much is given up itself', () => {
  const uploads = heldUploads(100)
  const given: string[] = []
  const begin = (name: string) => uploads.begin(() => given.push(name))
  const whole = begin('whole')
  whole.add(90)
  whole.arrived()
  const next = begin('next')
  next.add(11)
  assert.deepEqual([given, uploads.bytes()], [['next'], 90])
  whole[Symbol.dispose]()
  whole[Symbol.dispose]()
  assert.equal(uploads.bytes(), 0)
})

test('however many uploads hardly move, what is held stays below the bound', () => {
  const uploads = heldUploads(1_000)
  let given = 0
  const slow = Array.from({ length: 100 }, () => uploads.begin(() => given++))
  for (let round = 0; round < 20; round++) {
    for (const upload of slow) {
      upload.add(10)
      assert.ok(uploads.bytes() <= 1_000)
    }
  }
  assert.ok(given >= 90, String(given))
})
