import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { type Answer, form, read } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { previewOf, takeAttempt } from '../../accounts/throttle.ts'
import type { Database } from '../../database/database.ts'

/** POST /api/user/previews. */

const BUDGET = 100

let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
let token: string
before(async () => {
  server = await shareServer({ TRIAL_CALLS: 'free=50', PREVIEWS_PER_HOUR: String(BUDGET) })
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'free')
  token = await makeLogin(database, account.id)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

/** A quarter of a picture of 1600 × 800. */
const copy = await photo(400, 200).png().toBuffer()
const logo = await solid(20, 10, '#ff0000').png().toBuffer()

/** As if the account had had all previews of an hour but one, and then that one. */
async function takeAttempts(id: string): Promise<void> {
  for (let n = 0; n < BUDGET; n++) await takeAttempt(database.kysely, previewOf(id, BUDGET))
}

type Files = Parameters<typeof form>[1]

const post = async (fields: Parameters<typeof form>[0], files: Files = { image: copy }, bearer = token): Promise<Answer> =>
  read(
    await fetch(`${server.url}/api/user/previews`, {
      method: 'POST',
      body: form({ pictureWidth: 1600, ...fields }, files),
      headers: { authorization: `Bearer ${bearer}` },
    }),
  )

const ofRecipe = (recipe: unknown, files?: Files) => post({ recipe: JSON.stringify(recipe) }, files)
const ofForm = (operation: string, params: unknown, files?: Files) => post({ operation, params: JSON.stringify(params) }, files)
const size = ({ headers }: Answer) => [headers.get('x-image-width'), headers.get('x-image-height')].map(Number)

describe('a preview', () => {
  test('has the sizes of the form, scaled to the copy', async () => {
    for (const { operation, params, is } of [
      { operation: 'convert', params: { format: 'webp', width: 800 }, is: [200, 100] },
      { operation: 'resize', params: { width: 800, height: 800, fit: 'cover' }, is: [200, 200] },
      { operation: 'crop', params: { x: 100, y: 80, width: 400, height: 240 }, is: [100, 60] },
      { operation: 'optimize', params: { quality: 10 }, is: [400, 200] },
      { operation: 'flip', params: {}, is: [400, 200] },
    ]) {
      const answer = await ofForm(operation, params)
      assert.equal(answer.status, 200, `${operation}: ${answer.error?.message}`)
      assert.deepEqual(size(answer), is, operation)
    }
  })

  test('shows the quality of the form', async () => {
    const poor = await ofForm('convert', { quality: 5 })
    const good = await ofForm('convert', { quality: 95 })
    assert.ok(poor.bytes.length * 3 < good.bytes.length, `${poor.bytes.length}, ${good.bytes.length}`)
  })

  test('shows a watermark', async () => {
    const { status, bytes } = await ofForm('watermark', { position: 'top-left', scale: 0.5 }, { image: copy, watermark: logo })
    assert.equal(status, 200)
    assert.ok(near(await pixel(bytes, 100, 50), [255, 0, 0]))
  })

  test('scales the lengths of every step, and leaves out what becomes too small to see', async () => {
    const steps = [
      { crop: { x: 0, y: 0, width: 800, height: 400 } },
      { extend: { left: 40, top: 8 } },
      { blur: { sigma: 0.5 } },
      { sharpen: { sigma: 4 } },
      { resize: { width: 420 } },
    ]
    const answer = await ofRecipe({ steps, outputs: [{ format: 'png', steps: [{ resize: { width: 100 } }], dpr: 2 }] })
    assert.equal(answer.status, 200, String(answer.error?.message))
    assert.equal(size(answer)[0], 50)
    // 200 × 100 of the copy, with 10 pixels at the left and 2 above.
    assert.deepEqual(size(await ofRecipe({ steps: steps.slice(0, 2) })), [210, 102])
  })

  test('is not charged, and takes no trial call', async () => {
    const before = await accountTotals(database, account.id)
    assert.equal((await ofForm('convert', { format: 'avif' })).status, 200)
    assert.deepEqual(await accountTotals(database, account.id), before)
  })

  test('has a budget an hour for each account, and none where the account may make no images', async () => {
    const { id } = await makeAccount(database, 'team')
    const limitedText = await makeLogin(database, id)
    await takeAttempts(id)
    const refusedAnswer = await post({ operation: 'flip' }, undefined, limitedText)
    assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'rate_limited'])
    const other = await makeAccount(database, 'pro')
    const answer = await post({ operation: 'flip' }, undefined, await makeLogin(database, other.id))
    assert.deepEqual([answer.status, answer.error?.statusMessage], [403, 'forbidden'])
  })

  test('needs a login', async () => {
    const answer = await post({ operation: 'flip' }, undefined, account.key)
    assert.deepEqual([answer.status, answer.error?.statusMessage], [401, 'missing_or_invalid_login_token'])
  })

  test('is refused where it is not a preview, or not one picture', async () => {
    const large = await solid(720, 720, '#336699').png().toBuffer()
    const refusedValues = [
      { answer: await ofForm('flip', {}, { image: large }), code: 'image_too_large' },
      { answer: await ofForm('resize', { width: 9000, height: 9000, fit: 'fill' }), code: 'image_too_large' },
      { answer: await ofRecipe({ steps: [{ enhance: {} }] }), code: 'invalid_params', path: ['steps', 0, 'enhance'] },
      { answer: await ofRecipe({ outputs: [{ name: 'a' }, { name: 'b' }] }), code: 'invalid_params', path: ['recipe'] },
      { answer: await post({}), code: 'invalid_params', path: ['recipe'] },
      { answer: await post({ operation: 'flip', recipe: '{}' }), code: 'invalid_params', path: ['recipe'] },
      { answer: await post({ operation: 'flip', params: '[' }), code: 'invalid_params', path: ['params'] },
      { answer: await post({ operation: 'turn' }), code: 'invalid_params', path: ['operation'] },
      { answer: await post({ operation: 'flip', pictureWidth: 0 }), code: 'invalid_params', path: ['pictureWidth'] },
      { answer: await ofForm('resize', { width: 'wide', height: 3 }), code: 'invalid_params', path: ['width'] },
      { answer: await ofForm('watermark', {}), code: 'invalid_params', path: ['steps', 0, 'watermark', 'image'] },
      { answer: await ofForm('flip', {}, { image: copy, logo }), code: 'invalid_params', path: ['logo'] },
      { answer: await post({ operation: 'flip' }, {}), code: 'missing_image_file' },
      { answer: await post({ operation: 'flip' }, { image: Buffer.from('no image') }), code: 'invalid_image_type' },
    ]
    for (const { answer, code, path } of refusedValues) {
      assert.equal(answer.error?.statusMessage, code, JSON.stringify(answer.error))
      if (path) assert.deepEqual(answer.error?.issues?.[0]?.path, path)
    }
  })

  test('is made twice at once at most', async () => {
    const image = await photo(700, 700).png().toBuffer()
    const answers = await Promise.all(Array.from({ length: 8 }, () => ofForm('convert', { format: 'avif' }, { image })))
    const toldTexts = answers.map(({ status, error }) => error?.statusMessage ?? status)
    assert.ok(toldTexts.includes(200) && toldTexts.includes('rate_limited'), toldTexts.join())
    assert.ok(
      toldTexts.every((each) => each === 200 || each === 'rate_limited'),
      toldTexts.join(),
    )
  })
})
