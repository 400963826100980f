import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { corners } from '@pixelmill/codecs/test/support/corners'
import { chooseHeicWriter } from '@pixelmill/engine/rendering/programs'
import { until } from '@pixelmill/engine/test/support/until'
import { chargedCalls, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { type Behaviour, type FakeHeifEnc, fakeHeifEnc, lives } from '../../../test/support/fake-heif-enc.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'

/** A heif-enc that fails in many ways; heif-enc.slow.test.ts has servers that start with one. */

const image = (await writeHeic(corners())).bytes
const good = (await writeHeic(corners(32, 24))).bytes
const TIMEOUT_S = 2

let fake: FakeHeifEnc
let server: Server
let database: Database
let post: ReturnType<typeof caller>['post']
before(async () => {
  fake = await fakeHeifEnc(good)
  const settings = { HEIC_WRITER: 'heif-enc', RENDERERS: '1', RENDER_TIMEOUT_S: String(TIMEOUT_S), LOG_LEVEL: 'debug' }
  server = await startServer({ ...fake.settings, ...settings })
  database = await openServerDatabase(server.dir)
  post = caller(server).post
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
})

/** Temporary files have been removed. */
async function assertNoFiles(): Promise<void> {
  assert.deepEqual(await readdir(fake.settings.TMPDIR), [])
}

/** Resizes, and asserts that the call is charged or not. */
async function resize(chargedCount: 0 | 1) {
  const before = await chargedCalls(database)
  const answer = await post('resize', { width: 32, height: 24 }, { image })
  assert.equal((await chargedCalls(database)) - before, chargedCount)
  await assertNoFiles()
  return answer
}

const faults: readonly (readonly [Behaviour, RegExp])[] = [
  ['fails', /code 3: this build has no encoder/],
  ['writes rubbish', /something else than HEIC/],
  ['writes nothing', /ENOENT/],
  ['is killed', /SIGKILL/],
  ['floods', /code 1: .*no, no, no/],
]
for (const [behaviour, why] of faults) {
  test(`a heif-enc that ${behaviour} is conversion_failed and not charged, and the cause is logged`, async () => {
    await fake.behave(behaviour)
    const { status, error } = await resize(0)
    assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
    assert.doesNotMatch(JSON.stringify(error), /heif|ENOENT|SIGKILL/)
    assert.match(server.output().slice(-4_000), why)
    await fake.behave('works')
    const { bytes, headers } = await resize(1)
    assert.deepEqual([bytes.equals(good), headers.get('content-type')], [true, 'image/heic'])
  })
}

test('optimize of a HEIC image sends the smaller of both files, and fails where heif-enc fails', async () => {
  await fake.behave('works')
  const smaller = await post('optimize', {}, { image })
  assert.ok(smaller.bytes.equals(good.length < image.length ? good : image))
  assert.ok((await post('optimize', {}, { image: good })).bytes.equals(good))
  await fake.behave('fails')
  assert.equal((await post('optimize', {}, { image })).error?.statusMessage, 'conversion_failed')
})

const areGone = (pids: readonly number[]): Promise<boolean> =>
  until(async () => !(await Promise.all(pids.map(lives))).includes(true))

test('a heif-enc that hangs is conversion_failed at the time limit, and killed with its child processes', async () => {
  await fake.behave('hangs')
  const began = performance.now()
  const [{ status, error }, pids] = await Promise.all([resize(0), fake.startedProcesses()])
  assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
  assert.ok(performance.now() - began > TIMEOUT_S * 1_000 - 100)
  assert.equal(pids.length, 2)
  assert.ok(await areGone(pids))
  await fake.behave('works')
  assert.equal((await resize(1)).status, 200)
})

test('a client that hangs up ends the heif-enc of its call', async () => {
  await fake.behave('hangs')
  const left = new AbortController()
  const call = post('resize', { width: 9, height: 9 }, { image }, { signal: left.signal })
  const pids = await fake.startedProcesses()
  left.abort()
  await assert.rejects(call, { name: 'AbortError' })
  assert.ok(await areGone(pids))
  await fake.behave('works')
  assert.equal((await resize(1)).status, 200)
})

test('a heif-enc that fails when the server starts leaves encoding to elheif, or stops the start where it is asked for', async (t) => {
  await using broken = await fakeHeifEnc(good)
  const { PATH } = process.env
  t.after(() => Object.assign(process.env, { PATH }))
  process.env.PATH = broken.settings.PATH
  const grantedValue = { memoryMegabytes: 2_048, cpuSeconds: 60 }
  assert.equal((await chooseHeicWriter('auto', grantedValue, process.env.PATH)).heicWriter, 'heif-enc')
  await broken.behave('writes rubbish')
  assert.equal((await chooseHeicWriter('auto', grantedValue, process.env.PATH)).heicWriter, 'elheif')
  await broken.behave('fails')
  await assert.rejects(chooseHeicWriter('heif-enc', grantedValue, process.env.PATH), {
    message: 'HEIC_WRITER is heif-enc, but that program is not on the PATH or cannot write HEVC.',
  })
})
