import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { until } from '@pixelmill/engine/test/support/until'
import { type PlannedFile, planArchive } from '../plan-archive.ts'
import { readPlan } from '../read-plan.ts'

const contents = new Map([3, 0, 600_000, 700, 524_288, 12].map((bytes, nth) => [`${nth}`, Buffer.alloc(bytes, `${nth}-`)]))
const files: readonly PlannedFile<string>[] = [...contents].map(([path, content]) => ({
  path,
  content: path,
  bytes: content.length,
  crc32: crc32(content),
}))
const plan = planArchive(files, new Date())

const slice = (path: string, first: number, bytes: number) =>
  (contents.get(path) ?? Buffer.alloc(0)).subarray(first, first + bytes)
const read = async (path: string, first: number, bytes: number) => slice(path, first, bytes)
const whole = buffer(await readPlan(plan, { first: 0, last: plan.size - 1 }, read))

const places = plan.segments.flatMap(({ at, bytes }) => [at - 1, at, at + 1, at + (bytes >> 1), at + bytes - 1])
for (const first of [...new Set(places)].filter((place) => place >= 0)) {
  test(`every range from byte ${first} on is that of the whole`, async () => {
    const expected = await whole
    for (const last of [first, first + 1, first + 524_287, first + 524_288, ...places].filter(
      (at) => at >= first && at < plan.size,
    )) {
      const bytes = await buffer(await readPlan(plan, { first, last }, read))
      assert.ok(bytes.equals(expected.subarray(first, last + 1)), `${first}-${last}`)
    }
  })
}

test('files outside of a range are not read, and of those inside only what is asked for', async () => {
  const askedTexts: string[] = []
  const second = plan.segments.find(({ content }) => content === '2')
  assert.ok(second)
  const range = { first: second.at + 1_000, last: second.at + 1_009 }
  const notingRead: typeof read = (...call) => {
    askedTexts.push(call.join())
    return read(...call)
  }
  await buffer(await readPlan(plan, range, notingRead))
  assert.deepEqual(askedTexts, ['2,1000,10'])
})

test('one piece is read ahead for a stream that is not read, and up to eight for one that waits', async () => {
  const bytes = 100 * 524_288
  const large = planArchive([{ path: 'a', content: 'a', bytes, crc32: 0 }], new Date())
  let reading = 0
  let most = 0
  let pieces = 0
  const stream = await readPlan(large, { first: 0, last: large.size - 1 }, async (_content, _first, length) => {
    pieces++
    most = Math.max(most, ++reading)
    // Far slower than the reader is.
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    reading--
    return Buffer.alloc(length)
  })
  stream.once('readable', () => {})
  for (let turn = 0; turn < 200; turn++) await setImmediate()
  assert.ok(pieces <= 4, `${pieces} pieces`)
  for await (const chunk of stream) assert.ok(chunk.length > 0)
  assert.ok(most >= 8 && most <= 9, `${most} at once`)
})

test('what fails at the beginning is thrown, and what fails later breaks the stream', async () => {
  const failing = (path: string) => async (content: string, first: number, bytes: number) => {
    if (content === path) throw new Error('the disk is gone')
    return slice(content, first, bytes)
  }
  const all = { first: 0, last: plan.size - 1 }
  await assert.rejects(readPlan(plan, all, failing('0')), /the disk is gone/)
  const stream = await readPlan(plan, all, failing('5'))
  await assert.rejects(buffer(stream), /the disk is gone/)
})

test('a file that is shorter than noted breaks the stream', async () => {
  const shorter = async (content: string, first: number, bytes: number) =>
    slice(content, first, bytes - (content === '5' ? 1 : 0))
  await assert.rejects(buffer(await readPlan(plan, { first: 0, last: plan.size - 1 }, shorter)), /11 of 12 bytes/)
})

test('nothing more is read for a destroyed stream, though reads fail then', async () => {
  let reads = 0
  const stream = await readPlan(plan, { first: 0, last: plan.size - 1 }, async (content, first, bytes) => {
    reads++
    await setImmediate()
    if (content === '5') throw new Error('it fails unheard')
    return slice(content, first, bytes)
  })
  stream.destroy()
  assert.ok(await until(async () => stream.closed))
  const before = reads
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  assert.equal(reads, before)
})
