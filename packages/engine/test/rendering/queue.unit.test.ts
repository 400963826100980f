import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Job, jobQueue, LIGHT_MEGAPIXELS } from '../../src/rendering/queue.ts'

let clock = 0
const names = new WeakMap<Job, string>()

/** A job whose name is its weight in megapixels and its place in the order of arrival. */
function job(name: string, weight = 0, account = ''): Job {
  const newJob: Job = {
    account,
    task: 'convert',
    params: {},
    files: [],
    queueSignal: undefined,
    signal: new AbortController().signal,
    queuedAt: ++clock,
    weight,
    resolve: () => {},
    reject: () => {},
  }
  names.set(newJob, name)
  return newJob
}

const takeNames = (queue: ReturnType<typeof jobQueue>, times: number): readonly (string | undefined)[] =>
  Array.from({ length: times }, () => {
    const next = queue.take()
    return next && names.get(next)
  })

interface Row {
  readonly name: string
  readonly jobs: readonly (readonly [name: string, weight: number])[]
  /** Names as they are taken while nothing is done. */
  readonly takes: readonly (string | undefined)[]
}

const rows: readonly Row[] = [
  { name: 'nothing comes from an empty queue', jobs: [], takes: [undefined] },
  {
    name: 'light jobs go in the order they came',
    jobs: [
      ['a', 0],
      ['b', LIGHT_MEGAPIXELS],
      ['c', 1],
    ],
    takes: ['a', 'b', 'c', undefined],
  },
  {
    name: 'heavy jobs share 80 megapixels',
    jobs: [
      ['a', 40],
      ['b', 40],
      ['c', 21],
    ],
    takes: ['a', 'b', undefined],
  },
  {
    name: 'light jobs pass a heavy one that waits for memory',
    jobs: [
      ['a', 80],
      ['b', 80],
      ['c', 0],
      ['d', 0],
    ],
    takes: ['a', 'c', 'd', undefined],
  },
  {
    name: 'a heavy job that would fit does not pass a heavier one that waits',
    jobs: [
      ['a', 50],
      ['b', 60],
      ['c', 25],
      ['d', 0],
    ],
    takes: ['a', 'd', undefined],
  },
]
for (const { name, jobs, takes } of rows) {
  test(name, () => {
    const queue = jobQueue()
    for (const [of, weight] of jobs) queue.add(job(of, weight))
    assert.deepEqual(takeNames(queue, takes.length), takes)
  })
}

test('free memory goes to the heavy job that waits longest', () => {
  const queue = jobQueue()
  const first = job('first', 80)
  const second = job('second', 60)
  const third = job('third', 60)
  for (const one of [first, second, third]) queue.add(one)
  assert.equal(queue.take(), first)
  assert.equal(queue.take(), undefined)
  queue.finish(first)
  assert.equal(queue.take(), second)
  assert.equal(queue.take(), undefined)
  queue.finish(second)
  assert.equal(queue.take(), third)
})

test('a heavy job is not starved by light ones that keep coming: it starts as soon as memory is free', () => {
  const queue = jobQueue()
  const running = job('running', 80)
  queue.add(running)
  assert.equal(queue.take(), running)
  queue.add(job('heavy', 80))
  for (let round = 0; round < 100; round++) {
    queue.add(job('light'))
    assert.deepEqual(takeNames(queue, 2), ['light', undefined])
  }
  queue.add(job('light'))
  queue.finish(running)
  assert.deepEqual(takeNames(queue, 2), ['heavy', 'light'])
})

test('a job that turned out heavy goes back before all that came later', () => {
  const queue = jobQueue()
  const early = job('early')
  const heavy = job('heavy')
  const late = job('late')
  queue.add(heavy)
  assert.equal(queue.take(), heavy)
  queue.finish(heavy)
  queue.add(late)
  queue.add(Object.assign(heavy, { weight: 60 }))
  queue.add(early)
  assert.deepEqual(takeNames(queue, 4), ['early', 'heavy', 'late', undefined])
})

test('weighing a job after it was taken does not change what it gives back', () => {
  const queue = jobQueue()
  for (let round = 0; round < 5; round++) {
    const heavy = job('heavy')
    queue.add(heavy)
    assert.equal(queue.take(), heavy)
    // The pool's order: done at the weight it was taken with, then weighed.
    queue.finish(heavy)
    queue.add(Object.assign(heavy, { weight: 80 }))
    assert.equal(queue.take(), heavy)
    assert.deepEqual(takeNames(queue, 1), [undefined])
    queue.finish(heavy)
  }
})

test('a removed job is not taken, and can be removed once', () => {
  const queue = jobQueue()
  const stays = job('stays')
  const goes = job('goes')
  queue.add(goes)
  queue.add(stays)
  assert.equal(queue.length, 2)
  assert.equal(queue.remove(goes), true)
  assert.equal(queue.remove(goes), false)
  assert.equal(queue.length, 1)
  assert.deepEqual(takeNames(queue, 2), ['stays', undefined])
})
