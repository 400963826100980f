import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountShares, type Job, jobQueue } from '../../src/rendering/queue.ts'

/** One renderer or several in front of which jobs wait, by a clock that only the test moves. */
function openQueue(mostOfOne?: number) {
  const clock = { seconds: 0 }
  const shares = accountShares(() => clock.seconds)
  const queue = jobQueue({ shares, ...(mostOfOne !== undefined && { mostOfOne }) })
  let came = 0
  const add = (...accounts: readonly string[]) => {
    for (const account of accounts) {
      const nothing = { files: [], signal: new AbortController().signal, queueSignal: undefined, resolve() {}, reject() {} }
      queue.add({ ...nothing, account, task: 'convert', params: {}, queuedAt: ++came, weight: 0 } satisfies Job)
    }
  }
  const take = (): Job | undefined => queue.take()
  /** Works through one job after the other, each of which takes so many seconds; says whose they were. */
  const work = (times: number, seconds: (account: string) => number): string =>
    Array.from({ length: times }, () => {
      const job = take()
      if (!job) return '-'
      clock.seconds += seconds(job.account)
      queue.finish(job)
      return job.account
    }).join('')
  return { clock, queue, shares, add, take, work }
}
const times = (count: number, account: string): readonly string[] => Array.from({ length: count }, () => account)

test('an account with one image is next, however many another has sent before', () => {
  const { add, work } = openQueue()
  add(...times(100, 'a'))
  assert.equal(
    work(3, () => 1),
    'aaa',
  )
  add('b')
  assert.equal(
    work(3, () => 1),
    'baa',
  )
})

test('accounts get the same time of a renderer, not the same number of images', () => {
  const { add, work } = openQueue()
  add(...times(20, 'a'), ...times(20, 'b'))
  const order = work(12, (account) => (account === 'a' ? 3 : 1))
  assert.equal(order, 'abbbabbbabbb')
})

test('a time-out counts in full: the others have had as much before the account is next', () => {
  const { add, work } = openQueue()
  add('a', ...times(4, 'b'), 'a')
  assert.equal(
    work(1, () => 60),
    'a',
  )
  assert.equal(
    work(5, () => 15),
    'bbbba',
  )
})

test('what is at work counts while it is, so that a second renderer goes to the other account', () => {
  const { clock, add, take } = openQueue()
  add('a', 'a')
  const first = take()
  clock.seconds += 5
  add('b')
  assert.deepEqual([first?.account, take()?.account, take()?.account], ['a', 'b', 'a'])
})

test('of two that have used as much, the one with fewer at work is next', () => {
  const { add, take } = openQueue()
  add('a', 'a', 'b')
  assert.deepEqual([take()?.account, take()?.account, take()?.account], ['a', 'b', 'a'])
})

test('an account that was idle has saved nothing up: it takes turns with accounts that were active', () => {
  const { add, work } = openQueue()
  add(...times(50, 'a'))
  assert.equal(
    work(20, () => 1),
    'a'.repeat(20),
  )
  add(...times(10, 'b'))
  assert.equal(
    work(6, () => 1),
    'bababa',
  )
})

test('the only account never waits because of its earlier use', () => {
  const { add, work } = openQueue()
  add(...times(3, 'a'))
  assert.equal(
    work(4, () => 600),
    'aaa-',
  )
})

test('a thousand accounts are remembered, and not more', () => {
  const { add, work, shares } = openQueue()
  const difference = () => shares.usedBy('first') - shares.usedBy('unknown')
  add('first')
  work(1, () => 5)
  for (let n = 0; n < 999; n++) add(String(n))
  work(999, () => 1)
  assert.equal(difference(), 5)
  add('one more')
  work(1, () => 1)
  assert.equal(difference(), 0)
})

test('one account has no more at work than it may, while others go past it', () => {
  const { add, queue, take } = openQueue(2)
  add('a', 'a', 'a', 'a', 'b')
  assert.equal(queue.runnable, 3)
  assert.deepEqual([take()?.account, take()?.account, take()?.account, take()], ['a', 'b', 'a', undefined])
  assert.equal(queue.waitingOf('a'), 2)
  assert.equal(queue.runnable, 3)
})

test('without shares jobs go in the order they came, whosever they are', () => {
  const queue = jobQueue()
  const nothing = {
    files: [],
    signal: new AbortController().signal,
    queueSignal: undefined,
    resolve() {},
    reject() {},
    weight: 0,
  }
  for (const [at, account] of ['a', 'a', 'b'].entries())
    queue.add({ ...nothing, account, task: 'convert', params: {}, queuedAt: at })
  assert.deepEqual([queue.take()?.account, queue.take()?.account, queue.take()?.account], ['a', 'a', 'b'])
})
