import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldUploads } from '../../src/concurrency/capacity.ts'

test('when memory is short, the upload that has been arriving for longest is given up', () => {
  const uploads = heldUploads(100)
  const droppedUploads: string[] = []
  const begin = (name: string, account = 'one') => uploads.begin(account, () => droppedUploads.push(name))
  const first = begin('first')
  const second = begin('second')
  const third = begin('third')
  first.add(40)
  second.add(47)
  assert.deepEqual([droppedUploads, uploads.full('one')], [[], false])
  third.add(1)
  assert.deepEqual([droppedUploads, uploads.bytes(), uploads.full('one')], [['first'], 48, false])
  first.add(10)
  first[Symbol.dispose]()
  assert.equal(uploads.bytes(), 48, 'what was given up counts no longer')
  second[Symbol.dispose]()
  third[Symbol.dispose]()
  assert.equal(uploads.bytes(), 0)
})

test('what has arrived whole is kept, and the one that brings too much is given up itself', () => {
  const uploads = heldUploads(100)
  const droppedUploads: string[] = []
  const begin = (name: string, account = 'one') => uploads.begin(account, () => droppedUploads.push(name))
  const whole = begin('whole')
  whole.add(80)
  whole.arrived()
  const next = begin('next')
  next.add(8)
  assert.deepEqual([droppedUploads, uploads.bytes()], [['next'], 80])
  whole[Symbol.dispose]()
  whole[Symbol.dispose]()
  assert.equal(uploads.bytes(), 0)
})

test('however many uploads hardly move, what is held stays below the bound', () => {
  const uploads = heldUploads(1_000)
  let drops = 0
  const slow = Array.from({ length: 100 }, () => uploads.begin('one', () => drops++))
  for (let round = 0; round < 20; round++) {
    for (const upload of slow) {
      upload.add(10)
      assert.ok(uploads.bytes() <= 1_000)
    }
  }
  assert.ok(drops >= 90, String(drops))
})

test('an account has seven eighths at most, and is given up before others', () => {
  const uploads = heldUploads(800)
  const droppedUploads: string[] = []
  const begin = (account: string) => uploads.begin(account, () => droppedUploads.push(account))
  const many = Array.from({ length: 20 }, () => begin('many'))
  for (const upload of many) {
    upload.add(50)
    upload.arrived()
  }
  assert.deepEqual([uploads.bytes(), uploads.full('many'), uploads.full('other'), uploads.full()], [650, false, false, false])
  const slow = begin('many')
  slow.add(49)
  assert.ok(!droppedUploads.includes('other'))
  // What comes of another account takes the place of what the first sends slowly.
  const other = begin('other')
  other.add(100)
  assert.deepEqual([droppedUploads.filter((account) => account === 'other'), droppedUploads.at(-1)], [[], 'many'])
})

test('an account without uploads is forgotten', () => {
  const uploads = heldUploads(100)
  const one = uploads.begin('one', () => {})
  const other = uploads.begin('one', () => {})
  one.add(80)
  one[Symbol.dispose]()
  other.add(20)
  assert.deepEqual([uploads.bytes(), uploads.full('one')], [20, false])
})
