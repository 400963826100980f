import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin, openServerDatabase } from '../../../../test/support/accounts.ts'
import { clutter, quotaOf, removeBackground, studio } from '../../../../test/support/background-call.ts'
import {
  type FakeRemoveBg,
  type HabitName,
  KEY,
  startFakeRemoveBg,
  UPSTREAM_WORDS,
} from '../../../../test/support/fake-remove-bg.ts'
import { metricsOf } from '../../../../test/support/read-metric.ts'
import { type Server, startServer } from '../../../../test/support/server.ts'
import type { Database } from '../../../database/database.ts'

let service: FakeRemoveBg
let server: Server
let database: Database
before(async () => {
  service = await startFakeRemoveBg()
  const provider = { BG_PROVIDER: 'removebg', BG_PROVIDER_URL: service.url, BG_PROVIDER_KEY: KEY, BG_PROVIDER_TIMEOUT_S: '1' }
  server = await startServer({ ...provider, BG_MONTHLY_LIMIT: '100', RENDERERS: '1' })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server?.[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const picture = await studio(60, 40).png().toBuffer()

async function person() {
  const { id } = await makeAccount(database, 'free')
  return { id, token: await makeLogin(database, id) }
}
/** The answer, and how often the service was asked. */
async function ask(habit: HabitName, image: Buffer, format = 'png') {
  service.become(habit)
  const before = service.requests.length
  const answer = await removeBackground(server.url, server.key, image, { format })
  return { answer, asked: service.requests.length - before, remover: answer.headers.get('x-background-removal') }
}

for (const format of ['png', 'webp'])
  test(`a service is asked first, and its cut-out is sent as ${format}`, async () => {
    const { answer, asked, remover } = await ask('ok', picture, format)
    assert.equal(answer.status, 200, String(answer.error?.message))
    assert.deepEqual([remover, asked, answer.headers.get('x-background-confidence')], ['external', 1, '1.00'])
    assert.deepEqual([answer.headers.get('content-type'), answer.headers.get('x-image-width')], [`image/${format}`, '60'])
    assert.ok(near(await pixel(answer.bytes, 30, 20), [176, 40, 24, 255]))
    assert.equal((await pixel(answer.bytes, 2, 2))[3], 0)
  })

test('the service also cuts out what the local remover is not sure of', async () => {
  const { answer, remover } = await ask('ok', await clutter(48, 32).png().toBuffer())
  assert.deepEqual([answer.status, remover], [200, 'external'])
})

test('the service is not asked about images that are transparent already, no image, or damaged', async () => {
  const clear = await solid(60, 40, '#2060c080').png().toBuffer()
  for (const [image, status] of [
    [clear, 200],
    [Buffer.from('no image'), 400],
    [picture.subarray(0, 60), 400],
  ] as const) {
    const { answer, asked, remover } = await ask('ok', image)
    assert.deepEqual([answer.status, asked, remover], [status, 0, status === 200 ? 'local' : null])
    if (status === 200) assert.equal(answer.headers.get('x-background-confidence'), '1.00')
  }
})

test('a client that hangs up while the service works gets its removal refunded', async () => {
  const { id, token } = await person()
  const usedRemovals = async () => {
    const { rows } = await database.pool.query(
      'select coalesce(sum(used), 0)::int as used from background_month where account_id = $1',
      [id],
    )
    return rows[0].used
  }
  service.become('silent')
  const before = service.requests.length
  const impatient = new AbortController()
  const left = removeBackground(server.url, token, picture, {}, { signal: impatient.signal }).catch(({ name }) => name)
  assert.ok(await until(async () => service.requests.length === before + 1))
  assert.equal(await usedRemovals(), 1)
  impatient.abort()
  assert.equal(await left, 'AbortError')
  assert.ok(await until(async () => (await usedRemovals()) === 0))
  const text = async () => metricsOf(server)
  assert.ok(await until(async () => /remover="external",outcome="abandoned"\} 1/.test(await text())))
})

/** Those after which it is asked again at once come first. */
const failures = ['opaque', 'other-shape', 'html', 'truncated', 'silent', '402'] as const
for (const habit of failures)
  test(`where the service answers ${habit}, the local remover is used, and only the header shows it`, async () => {
    const { answer, remover } = await ask(habit, picture)
    assert.deepEqual([answer.status, remover], [200, 'local'])
    assert.equal((await pixel(answer.bytes, 2, 2))[3], 0)
    for (const words of [UPSTREAM_WORDS, KEY]) {
      assert.ok(!answer.bytes.includes(words))
      assert.ok(!server.output().includes(words))
    }
  })

test('a service that wants payment is reported in the log, and not asked again at once', async () => {
  const { asked, remover } = await ask('ok', picture)
  assert.deepEqual([asked, remover], [0, 'local'])
  assert.ok(await until(async () => /"level":"warn".*removebg/.test(server.output())))
})

test('one removal is counted whichever remover did it, and none where no remover could', async () => {
  const { token } = await person()
  const noise = await clutter(48, 32).png().toBuffer()
  for (const [image, status, left] of [
    [picture, 200, '99'],
    [noise, 422, '99'],
    [picture, 200, '98'],
  ] as const) {
    const answer = await removeBackground(server.url, token, image)
    assert.deepEqual([answer.status, quotaOf(answer)[1]], [status, left])
  }
})

test('metrics count both removers, and each request to the service', async () => {
  const text = await metricsOf(server)
  for (const labels of ['remover="external",outcome="cut_out"', 'remover="external",outcome="unavailable"'])
    assert.match(text, new RegExp(`^pixelmill_background_removal_seconds_count\\{${labels}\\} [1-9]`, 'm'))
  assert.match(text, /outcome="already_cut_out"\} [1-9]/)
  assert.match(text, /^pixelmill_background_provider_seconds_count\{outcome="ok"\} [1-9]/m)
})
