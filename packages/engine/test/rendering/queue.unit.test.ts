import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Job, jobQueue, LIGHT_MEGAPIXELS } from '../../src/rendering/queue.ts'

let clock = 0
const names = new WeakMap<Job, string>()

/** A job whose name is its weight in megapixels and its place in the order of arrival. */
function job(name: string, weight = 0, account = ''): Job {
  const made: Job = {
    account,
    task: 'convert',
    params: {},
    files: [],
    wanted: undefined,
    signal: new AbortController().signal,
    queuedAt: ++clock,
    weight,
    resolve: () => {},
    reject: () => {},
  }
  names.set(made, name)
  return made
}

const taken = (queue: ReturnType<typeof jobQueue>, times: number): readonly (string | undefined)[] =>
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
    assert.deepEqual(taken(queue, takes.length), takes)
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
  queue.done(first)
  assert.equal(queue.take(), second)
  assert.equal(queue.take(), undefined)
  queue.done(second)
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
    assert.deepEqual(taken(queue, 2), ['light', undefined])
  }
  queue.add(job('light'))
  queue.done(running)
  assert.deepEqual(taken(queue, 2), ['heavy', 'light'])
})

test('a job that turned out heavy goes back before all that came later', () => {
  const queue = jobQueue()
  const early = job('early')
  const found = job('found')
  const late = job('late')
  queue.add(found)
  assert.equal(queue.take(), found)
  queue.done(found)
  queue.add(late)
  queue.add(Object.assign(found, { weight: 60 }))
  queue.add(early)
  assert.deepEqual(taken(queue, 4), ['early', 'found', 'late', undefined])
})

test('weighing a job after it was taken does not change what it gives back', () => {
  const queue = jobQueue()
  for (let round = 0; round < 5; round++) {
    const unknown = job('unknown')
    queue.add(unknown)
    assert.equal(queue.take(), unknown)
    // The pool's order: done at the weight it was taken with, then weighed.
    queue.done(unknown)
    queue.add(Object.assign(unknown, { weight: 80 }))
    assert.equal(queue.take(), unknown)
    assert.deepEqual(taken(queue, 1), [undefined])
    queue.done(unknown)
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
  assert.deepEqual(taken(queue, 2), ['stays', undefined])
})
