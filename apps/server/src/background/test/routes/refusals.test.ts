import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../../../../test/support/accounts.ts'
import { clutter, removeBackground, studio } from '../../../../test/support/background-call.ts'
import { caller, form, read } from '../../../../test/support/call.ts'
import { type Server, startServer } from '../../../../test/support/server.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import type { Database } from '../../../database/database.ts'

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())
const remove = (image: Buffer | undefined, fields = {}) => removeBackground(server.url, server.key, image, fields)

const picture = await studio(60, 40).png().toBuffer()
/** An image with so many bytes, of which decoders read the first part only. */
const paddedPicture = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])

test('a file of 10 MB is accepted, one with a byte more is refused with the limit', async () => {
  assert.equal(limits.background.uploadBytes, 10 * 1_048_576)
  assert.equal((await remove(paddedPicture(limits.background.uploadBytes))).status, 200)
  const { status, error } = await remove(paddedPicture(limits.background.uploadBytes + 1))
  assert.deepEqual([status, error?.statusMessage, error?.message], [400, 'file_too_large', 'Send a file of at most 10 MB.'])
  // Far beyond, it is refused by its length alone.
  assert.equal((await remove(paddedPicture(2 * limits.background.uploadBytes))).error?.statusMessage, 'file_too_large')
})

const refusedTexts = [
  ['no file', undefined, {}, 'missing_image_file'],
  ['an empty file', Buffer.alloc(0), {}, 'missing_image_file'],
  ['no image', Buffer.from('no image at all'), {}, 'invalid_image_type'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), {}, 'invalid_image_type'],
  ['a PDF', Buffer.from('%PDF-1.7\n'), {}, 'invalid_image_type'],
  ['a damaged image', picture.subarray(0, 60), {}, 'invalid_image'],
  ['an image whose pixels are damaged', Buffer.concat([picture.subarray(0, 200), Buffer.alloc(400, 7)]), {}, 'invalid_image'],
  ['a format without transparency', picture, { format: 'jpeg' }, 'invalid_params'],
  ['a format that does not exist', picture, { format: 'PNG' }, 'invalid_params'],
  ['a format said twice', picture, { format: ['png', 'webp'] }, 'invalid_params'],
  ['a wrong format of what is no image', Buffer.from('no image'), { format: 'gif' }, 'invalid_params'],
] as const
for (const [what, image, fields, code] of refusedTexts)
  test(`${what} is refused: ${code}`, async () => {
    const { status, error } = await remove(image, fields)
    assert.deepEqual([status, error?.statusMessage], [400, code])
    if (code === 'invalid_params')
      assert.deepEqual(
        error?.issues?.map(({ path }) => path),
        [['format']],
      )
  })

test('two files in the field are refused', async () => {
  const body = form({}, { image: [picture, picture] })
  const answer = await read(
    await fetch(`${server.url}/api/background-remove`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${server.key}` },
    }),
  )
  assert.deepEqual([answer.status, answer.error?.issues?.[0]?.path], [400, ['image']])
})

test('a body that is no form and a wrong method are refused', async () => {
  const ask = (init: RequestInit) =>
    fetch(`${server.url}/api/background-remove`, { ...init, headers: { authorization: `Bearer ${server.key}`, ...init.headers } })
  const json = await read(await ask({ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))
  assert.equal(json.error?.statusMessage, 'missing_form_data')
  const get = await read(await ask({ method: 'GET' }))
  assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
})

const hopeless = {
  'one pixel': await solid(1, 1, '#336699').png().toBuffer(),
  'one row': await solid(300, 1, '#336699').png().toBuffer(),
  'one colour': await solid(60, 40, '#336699').png().toBuffer(),
  'nothing but noise': await clutter(48, 32).png().toBuffer(),
}
for (const [what, image] of Object.entries(hopeless))
  test(`${what} has no subject: background_not_separable, with its confidence`, async () => {
    const { status, error } = await remove(image)
    assert.deepEqual([status, error?.statusMessage], [422, 'background_not_separable'])
    const { confidence } = error as unknown as { confidence: number }
    assert.ok(confidence >= 0 && confidence < 0.7, `confidence ${confidence}`)
  })

/** Stripes that reach all four edges, in front of a plain wall. */
const touching = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" viewBox="0 0 240 160"><rect width="240" height="160" fill="#e0e0dc"/>
  <path d="M120 0L140 60L240 80L140 100L120 160L100 100L0 80L100 60Z" fill="#103080"/></svg>`

test('a subject that touches every edge is cut out or refused, and never half an answer', async () => {
  const answer = await remove(await sharp(Buffer.from(touching)).png().toBuffer())
  if (answer.status !== 200) assert.equal(answer.error?.statusMessage, 'background_not_separable')
  else {
    const { hasAlpha, width } = await sharp(answer.bytes).metadata()
    assert.deepEqual([hasAlpha, width], [true, 120])
  }
})

describe('a server with a strict BG_MIN_CONFIDENCE and burst limit', () => {
  let strict: Server
  let database: Database
  before(async () => {
    strict = await startServer({ BG_MIN_CONFIDENCE: '1', BURST_PER_MINUTE: '2', RENDERERS: '1' })
    database = await openServerDatabase(strict.dir)
  })
  after(async () => {
    await database?.close()
    await strict?.[Symbol.asyncDispose]()
  })

  test('with BG_MIN_CONFIDENCE=1 a ball and noise are answered 422', async () => {
    const answers = [picture, hopeless['nothing but noise']].map((image) => removeBackground(strict.url, strict.key, image))
    assert.deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [422, 422],
    )
  })

  test('the burst limit counts removals with calls by key, and by themselves by login token', async () => {
    const { id, key } = await makeAccount(database, 'enterprise')
    const token = await makeLogin(database, id)
    for (const by of [key, token]) {
      for (const status of [400, 400, 429])
        assert.equal((await removeBackground(strict.url, by, Buffer.from('x'))).status, status)
      const { headers, error } = await removeBackground(strict.url, by, picture)
      assert.equal(error?.statusMessage, 'rate_limited')
      assert.match(headers.get('ratelimit-policy') ?? '', /^"burst";q=2;w=60/)
    }
    assert.equal((await caller({ url: strict.url, key }).post('convert', {}, { image: picture })).status, 429)
    const { rows } = await database.pool.query(
      `select (select coalesce(sum(used), 0)::int from background_month where account_id = $1) as removals,
            (select count(*)::int from reservation where account_id = $1) as held`,
      [id],
    )
    assert.deepEqual(rows, [{ removals: 0, held: 0 }])
    const { used, reserved, open } = await accountTotals(database, id)
    assert.deepEqual({ used, reserved, open }, { used: 0, reserved: 0, open: 0 })
  })
})
