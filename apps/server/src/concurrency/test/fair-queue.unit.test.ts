import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { type FairQueue, fairQueue } from '@pixelmill/engine/concurrency/fair-queue'

const WAIT = new AbortController().signal

/** Questions that end when the test says so; `begun` are the accounts in the order in which they asked. */
function asking(queue: FairQueue) {
  const begunTexts: string[] = []
  const open: { readonly account: string; readonly end: (error?: Error) => void }[] = []
  return {
    begun: begunTexts,
    ask: (account: string, signal = WAIT) =>
      queue.run(
        account,
        signal,
        () =>
          new Promise<string>((resolve, reject) => {
            begunTexts.push(account)
            open.push({ account, end: (error) => (error ? reject(error) : resolve(`for ${account}`)) })
          }),
      ),
    /** Ends the oldest question of an account that is under way. */
    async end(account: string, error?: Error) {
      const at = open.findIndex((one) => one.account === account)
      const [one] = open.splice(at, 1)
      if (at < 0 || !one) assert.fail(`${account} asks nothing`)
      one.end(error)
      await settled()
    },
  }
}
const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make)

test('one account gets half of the places, also where nobody else wants the others', async () => {
  const queue = fairQueue(16)
  const { ask, begun, end } = asking(queue)
  const answers = times(20, () => ask('one'))
  await settled()
  assert.deepEqual([begun.length, queue.waiting()], [8, 12])
  await end('one')
  assert.deepEqual([begun.length, queue.waiting()], [9, 11])
  assert.equal(await answers[0], 'for one')
})

for (const [atOnce, ofOne] of [
  [1, 1],
  [2, 1],
  [3, 1],
  [5, 2],
] as const) {
  test(`of ${atOnce} places one account gets ${ofOne}`, async () => {
    const { ask, begun } = asking(fairQueue(atOnce))
    for (const _ of times(6, () => 0)) void ask('one')
    await settled()
    assert.equal(begun.length, ofOne)
    for (const account of ['two', 'three', 'four', 'five', 'six']) void ask(account)
    await settled()
    assert.equal(begun.length, atOnce)
  })
}

test('accounts that wait are served in turn, whoever came first with many', async () => {
  const { ask, begun, end } = asking(fairQueue(2))
  for (const account of ['busy', 'other']) void ask(account)
  for (const _ of times(4, () => 0)) void ask('busy')
  for (const account of ['small', 'late', 'small']) void ask(account)
  await settled()
  // "busy" holds its one place until its question ends; the place of "other" goes round.
  for (const account of ['other', 'small', 'late', 'small']) await end(account)
  assert.deepEqual(begun, ['busy', 'other', 'small', 'late', 'small'])
  for (const _ of times(4, () => 0)) await end('busy')
  assert.deepEqual(
    begun.slice(5),
    times(4, () => 'busy'),
  )
})

test('a question that fails gives its place to the next', async () => {
  const { ask, begun, end } = asking(fairQueue(1))
  const failing = ask('one')
  const next = ask('two')
  await settled()
  await Promise.all([assert.rejects(failing, /on purpose/), end('one', new Error('on purpose'))])
  await end('two')
  assert.deepEqual([begun, await next], [['one', 'two'], 'for two'])
})

test('a question whose client has gone leaves the line, and is never asked', async () => {
  const queue = fairQueue(1)
  const { ask, begun, end } = asking(queue)
  void ask('one')
  const client = new AbortController()
  const waiting = [ask('two', client.signal), ask('three'), ask('two', client.signal)]
  await settled()
  assert.equal(queue.waiting(), 3)
  client.abort(new Error('the client has gone'))
  for (const left of [waiting[0], waiting[2], ask('two', client.signal)]) await assert.rejects(left ?? assert.fail(), /has gone/)
  assert.equal(queue.waiting(), 1)
  await end('one')
  await end('three')
  assert.deepEqual(begun, ['one', 'three'])
})

test('a client that goes while its question is asked takes nothing from others', async () => {
  const queue = fairQueue(1)
  const { ask, begun, end } = asking(queue)
  const client = new AbortController()
  const askedText = ask('one', client.signal)
  await settled()
  const next = ask('two')
  client.abort(new Error('the client has gone'))
  await settled()
  assert.deepEqual([begun, queue.waiting()], [['one'], 1])
  await end('one')
  await end('two')
  assert.deepEqual([await askedText, await next], ['for one', 'for two'])
})

test('a thousand questions of thirty accounts: never too many at once, and nobody is forgotten', async () => {
  const queue = fairQueue(7)
  const running = new Map<string, number>()
  let most = 0
  let mostOfOne = 0
  const ask = (account: string) =>
    queue.run(account, WAIT, async () => {
      const own = (running.get(account) ?? 0) + 1
      running.set(account, own)
      most = Math.max(
        most,
        running.values().reduce((total, each) => total + each, 0),
      )
      mostOfOne = Math.max(mostOfOne, own)
      for (const _ of times(Math.floor(Math.random() * 3), () => 0)) await settled()
      running.set(account, (running.get(account) ?? 0) - 1)
      return account
    })
  const askedTexts = times(1_000, () => `account ${Math.floor(Math.random() * 30)}`)
  assert.deepEqual(await Promise.all(askedTexts.map(ask)), askedTexts)
  // Whether one account ever has its half is chance: the others take their queue.
  assert.ok(most <= 7 && mostOfOne <= 3, `${most} at once, ${mostOfOne} of one account`)
  assert.equal(queue.waiting(), 0)
})
