import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { oneRender } from '../one-render.ts'

const alone = { tryLock: async () => true, unlock: async () => {} }
const nothing = async () => undefined

/** Work that ends when the test says so, and says whether it was told to stop. */
function open() {
  const renders = oneRender<string>(alone)
  const begunValues: { readonly wanted: AbortSignal; readonly end: (value: string) => void }[] = []
  const make = (wantedSignal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      begunValues.push({ wanted: wantedSignal, end: resolve })
      wantedSignal.addEventListener('abort', () => reject(wantedSignal.reason), { once: true })
    })
  return { renders, begun: begunValues, ask: (client?: AbortSignal) => renders.run('key', nothing, make, client) }
}

test('work that nobody waits for any more is stopped, and the next caller begins anew', async () => {
  const { begun, ask } = open()
  const one = new AbortController()
  const other = new AbortController()
  const first = ask(one.signal)
  const second = ask(other.signal)
  assert.deepEqual([first.isFirst, second.isFirst], [true, false])
  await settled()
  one.abort(new Error('the first has gone'))
  assert.equal(begun[0]?.wanted.aborted, false)
  other.abort(new Error('both have gone'))
  assert.equal(begun[0]?.wanted.aborted, true)
  await assert.rejects(first.value, /both have gone/)
  const third = ask()
  assert.equal(third.isFirst, true)
  await settled()
  begun[1]?.end('made')
  assert.equal(await third.value, 'made')
})

test('work of the server itself goes on, whoever goes', async () => {
  const { renders, begun, ask } = open()
  const client = new AbortController()
  const own = ask()
  const joinedText = renders.join('key', () => client.signal)
  await settled()
  client.abort()
  assert.equal(begun[0]?.wanted.aborted, false)
  begun[0]?.end('made')
  assert.deepEqual([await own.value, await joinedText], ['made', 'made'])
  await settled()
  assert.equal(
    renders.join('key', () => assert.fail('nothing runs')),
    undefined,
  )
})

test('a client that goes after its value has come stops nothing', async () => {
  const { begun, ask } = open()
  const client = new AbortController()
  const askedAnswer = ask(client.signal)
  await settled()
  begun[0]?.end('made')
  await askedAnswer.value
  await settled()
  client.abort()
  assert.equal(begun[0]?.wanted.aborted, false)
})
