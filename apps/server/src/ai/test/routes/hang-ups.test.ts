import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { type AiServer, picture, startAiServer } from '../../../../test/support/ai-server.ts'
import { type Habit, habits, says } from '../../../../test/support/fake-vision.ts'

let now: Habit = habits.silent
let server: AiServer
let image: string
before(async () => {
  image = await picture('#f00')
  server = await startAiServer(
    { platform: (...request) => now(...request) },
    { AI_CONCURRENCY: '4', AI_DAILY_LIMIT: '25', RENDERERS: '1' },
  )
})
after(() => server[Symbol.asyncDispose]())

const holds = async (holding: () => boolean | Promise<boolean>, what: string) =>
  assert.ok(await until(async () => holding()), what)

/** Images that accounts have reserved or used. */
async function currentCount(): Promise<number> {
  const { rows } = await server.database.pool.query('select coalesce(sum(used), 0)::int as used from ai_day')
  return rows[0].used
}

/** A request whose client hangs up when `leave` is called. */
function leaving(images: number, token: string, more = {}): { readonly leave: () => void; readonly gone: Promise<unknown> } {
  const controller = new AbortController()
  const goneAnswer = fetch(`${server.url}/v1/ai/alt-text`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ images: Array(images).fill(image), ...more }),
    signal: controller.signal,
  }).catch((error: unknown) => error)
  return { leave: () => controller.abort(), gone: goneAnswer }
}

test('a client that hangs up ends the questions to the model, and gets every image back', async () => {
  now = habits.silent
  const { leave, gone } = leaving(10, await server.signedIn('pro'))
  // Half of the questions at once are one account's.
  await holds(() => server.model.answering() === 2, 'the model is asked')
  assert.equal(await currentCount(), 10)
  const askedCount = server.model.requests.length
  leave()
  await gone
  await holds(() => server.model.answering() === 0, 'the questions are broken off')
  await holds(async () => (await currentCount()) === 0, 'the images are given back')
  assert.equal(server.model.requests.length, askedCount)
})

test('a client that hangs up after the model has answered for some images is charged for those only', async () => {
  let left = 3
  now = (...request) => (left-- > 0 ? says('{"altText": "A red square."}') : habits.silent)(...request)
  const { leave, gone } = leaving(10, await server.signedIn('pro'))
  await holds(() => left < 0 && server.model.answering() === 2, 'three are answered, the next hang')
  assert.equal(await currentCount(), 10)
  leave()
  await gone
  await holds(async () => (await currentCount()) === 3, 'three count')
  await server.database.pool.query('delete from ai_day')
})

test('a client that hangs up frees its place for the next request', async () => {
  now = habits.silent
  const token = await server.signedIn('pro')
  const requests = Array.from({ length: 4 }, () => leaving(1, token))
  await holds(() => server.model.answering() === 2, 'two are asked about, two wait')
  await holds(async () => (await currentCount()) === 4, 'four are under way')
  const fifth = await server.ask('alt-text', { images: [image] }, token)
  assert.deepEqual([fifth.status, fifth.error?.statusMessage, fifth.headers.get('retry-after')], [429, 'rate_limited', '1'])
  for (const { leave, gone } of requests) {
    leave()
    await gone
  }
  await holds(() => server.model.answering() === 0, 'nothing is asked any more')
  await holds(async () => (await currentCount()) === 0, 'the images are given back')
  now = habits['401']
  const next = await server.ask('alt-text', { images: [image] }, token)
  assert.equal(next.status, 502)
})

test('a request of more images than the day has left is refused as a whole, before the model is asked', async () => {
  const token = await server.signedIn('pro')
  const before = server.model.requests.length
  now = habits.silent
  const { leave, gone } = leaving(10, token)
  await holds(async () => (await currentCount()) === 10, 'ten are reserved')
  const other = leaving(10, token)
  await holds(async () => (await currentCount()) === 20, 'twenty are reserved')
  const third = await server.ask('alt-text', { images: Array(6).fill(image) }, token)
  assert.deepEqual([third.status, third.error?.statusMessage], [429, 'ai_daily_limit_exceeded'])
  assert.equal(third.headers.get('x-ai-remaining'), '5')
  leave()
  other.leave()
  await Promise.all([gone, other.gone])
  await holds(async () => (await currentCount()) === 0, 'the images are given back')
  assert.ok(server.model.requests.length - before <= 4)
})

test('callers’ own models that never answer do not delay questions to the operator’s model', async () => {
  now = habits.ok
  const slow = await Promise.all(
    ['free', 'free'].map(async () => leaving(4, await server.signedIn('free'), server.ownModel('silent'))),
  )
  await holds(() => server.model.answering() === 4, 'as many are asked as may be')
  const { status, body } = await server.ask('alt-text', { images: [image] }, await server.signedIn('pro'))
  // What it says fits no alternative text; that it was asked is what counts.
  assert.deepEqual([status, server.model.answering()], [502, 4], JSON.stringify(body))
  for (const { leave, gone } of slow) {
    leave()
    await gone
  }
})
