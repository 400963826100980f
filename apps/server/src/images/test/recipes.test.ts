import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { recognise } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { animatedGif, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { recipeId } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import sharp from 'sharp'
import { grant, makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { type Answer, form, read } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { unzip } from '../../../test/support/unzip.ts'
import type { Database } from '../../database/database.ts'
import { manifest as manifestSchema } from '../../http/several-images.ts'

/** POST /api/v3/images. */

let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
before(async () => {
  server = await shareServer({ BURST_PER_MINUTE: '0' })
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const image = await photo(240, 160).jpeg().toBuffer()
const logo = await solid(20, 10, '#ff0000').png().toBuffer()

type Files = Parameters<typeof form>[1]

const post = async (
  recipe: unknown,
  files: Files = { image },
  headers: Readonly<Record<string, string>> = {},
  fields = {},
): Promise<Answer> =>
  read(
    await fetch(`${server.url}/api/v3/images`, {
      method: 'POST',
      body: form(
        { ...(recipe !== undefined && { recipe: typeof recipe === 'string' ? recipe : JSON.stringify(recipe) }), ...fields },
        files,
      ),
      headers: { authorization: `Bearer ${account.key}`, ...headers },
    }),
  )

async function usedRemovals(
  id = account.id,
): Promise<{ readonly month: number; readonly credits: number; readonly reserved: number }> {
  const { rows } = await database.pool.query<{ month: number; credits: number; reserved: number }>(
    `select coalesce((select sum(used) from usage_month where account_id = $1), 0)::int as month, credits::int, reserved::int
       from account where id = $1`,
    [id],
  )
  return rows[0] ?? assert.fail()
}

const faults = ({ status, error }: Answer) => [status, error?.statusMessage, error?.issues?.map(({ path }) => path.join('.'))]

const three = {
  steps: [{ rotate: { angle: 90 } }],
  outputs: [
    { name: 'hero', format: 'webp', quality: 80, steps: [{ watermark: { image: 'logo', position: 'top-left', opacity: 100 } }] },
    { name: 'thumb', format: 'png', steps: [{ resize: { width: 40, height: 40, fit: 'cover' } }, { grayscale: {} }] },
    { name: 'small', maxBytes: 2_000 },
  ],
}

test('one output is answered as the image, with the headers of v1', async () => {
  const recipe = { steps: [{ resize: { width: 120 } }], outputs: [{ name: 'hero', format: 'webp' }] }
  const { status, headers, bytes } = await post(recipe)
  assert.equal(status, 200)
  assert.equal(recognise(bytes)?.name, 'webp')
  assert.deepEqual(
    ['content-type', 'content-disposition', 'x-image-width', 'x-image-height', 'x-input-size', 'x-output-size', 'vary'].map(
      (name) => headers.get(name),
    ),
    ['image/webp', 'attachment; filename="hero.webp"', '120', '80', String(image.length), String(bytes.length), null],
  )
  assert.equal(headers.get('x-recipe-id'), recipeId(recipeSchema.parse(recipe)))
  const body = form({ width: 120, format: 'webp' }, { image })
  const v1 = await fetch(`${server.url}/api/v1/convert`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${account.key}` },
  })
  assert.deepEqual(bytes, Buffer.from(await v1.arrayBuffer()))
})

test('several outputs are a ZIP with a manifest, and cost a call each', async () => {
  const before = await usedRemovals()
  const { status, headers, bytes } = await post(three, { image, logo })
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/zip'])
  assert.equal((await usedRemovals()).month, before.month + 3)
  assert.equal((await usedRemovals()).reserved, 0)
  const files = await unzip(bytes)
  const manifest = manifestSchema.parse(JSON.parse(String(files['manifest.json'])))
  assert.deepEqual(Object.keys(files), ['manifest.json', 'hero.webp', 'thumb.png', 'small.jpg'])
  assert.equal(manifest.recipeId, headers.get('x-recipe-id'))
  for (const { file, width, height, bytes: length, format } of manifest.outputs) {
    const content = files[file] ?? assert.fail(file)
    const info = await sharp(content).metadata()
    assert.deepEqual([info.width, info.height, content.length, recognise(content)?.name], [width, height, length, format])
  }
  const [, , small] = manifest.outputs
  assert.ok(small && small.bytes <= 2_000 && small.qualityScore !== undefined)
  assert.ok(near(await pixel(files['hero.webp'] ?? bytes, 3, 3), [255, 0, 0]))
  assert.ok(!near(await pixel(files['hero.webp'] ?? bytes, 3, 200), [255, 0, 0]))
  assert.deepEqual((await post(three, { image, logo })).bytes, bytes)
})

test('multipart/mixed is sent where Accept prefers it', async () => {
  const { headers, bytes } = await post(three, { image, logo }, { accept: 'multipart/mixed, application/zip;q=0.5' })
  const [, boundary = ''] = /^multipart\/mixed; boundary="([^"]+)"$/.exec(headers.get('content-type') ?? '') ?? []
  const parts = bytes.toString('latin1').split(`--${boundary}`)
  assert.equal(parts.length, 1 + 4 + 1)
  assert.equal(parts.at(-1), '--\r\n')
  assert.match(
    parts[1] ?? '',
    /^\r\nContent-Type: application\/json\r\nContent-Disposition: attachment; filename="manifest.json"\r\n/,
  )
  const manifest = manifestSchema.parse(JSON.parse((parts[1] ?? '').split('\r\n\r\n')[1] ?? ''))
  const lengths = parts.slice(2, -1).map((part) => part.length - part.indexOf('\r\n\r\n') - 4 - 2)
  assert.deepEqual(
    lengths,
    manifest.outputs.map(({ bytes }) => bytes),
  )
  assert.equal((await post(three, { image, logo }, { accept: '*/*' })).headers.get('content-type'), 'application/zip')
})

test('auto never sends a format that Accept does not name', async () => {
  const formatFor = async (accept: string, source: Buffer = image) => {
    const { headers } = await post({ outputs: [{ format: 'auto' }] }, { image: source }, { accept })
    return [headers.get('content-type'), headers.get('vary')]
  }
  assert.deepEqual(await formatFor('image/avif,image/webp,*/*'), ['image/avif', 'Accept'])
  assert.deepEqual(await formatFor('image/webp,image/avif;q=0'), ['image/webp', 'Accept'])
  assert.deepEqual(await formatFor('image/*,*/*;q=0.8'), ['image/jpeg', 'Accept'])
  assert.deepEqual(await formatFor('image/avif,image/webp', await animatedGif()), ['image/webp', 'Accept'])
  assert.deepEqual(await formatFor('image/avif', await animatedGif()), ['image/gif', 'Accept'])
})

describe('what is wrong is said at its place, and costs nothing', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const rows: readonly (readonly [says: string, send: () => Promise<Answer>, expected: readonly unknown[]])[] = [
    ['no image', () => post({}, {}), [400, 'missing_image_file', undefined]],
    ['no recipe', () => post(undefined), [400, 'invalid_params', ['recipe']]],
    ['no JSON', () => post('{'), [400, 'invalid_params', ['recipe']]],
    ['deep JSON', () => post(deep), [400, 'invalid_params', ['']]],
    [
      'a recipe of 1 MB',
      () => post(JSON.stringify({ steps: [], pad: 'x'.repeat(2 ** 20) })),
      [400, 'invalid_params', ['recipe']],
    ],
    [
      'a step',
      () => post({ steps: [{ flip: {} }, { resize: { width: 0 } }] }),
      [400, 'invalid_params', ['steps.1.resize.width']],
    ],
    [
      'a size that only the header tells',
      () => post({ steps: [{ crop: { x: 0, y: 0, width: 241, height: 10 } }] }),
      [400, 'invalid_params', ['steps.0.crop.width']],
    ],
    [
      'a file that is missing',
      () => post({ outputs: [{ steps: [{ watermark: { image: 'logo' } }] }] }),
      [400, 'invalid_params', ['outputs.0.steps.0.watermark.image']],
    ],
    ['a file that no step names', () => post({}, { image, logo }), [400, 'invalid_params', ['logo']]],
    ['an unknown field', () => post({}, { image }, {}, { format: 'webp' }), [400, 'invalid_params', ['format']]],
    ['a preset beside a recipe', () => post({}, { image }, {}, { preset: 'web' }), [400, 'invalid_params', ['preset']]],
    [
      'a preset that does not exist',
      () => post(undefined, { image }, {}, { preset: 'web' }),
      [404, 'preset_not_found', undefined],
    ],
    ['no picture', () => post({}, { image: Buffer.from('text') }), [400, 'invalid_image_type', undefined]],
    [
      'a damaged watermark',
      () => post({ steps: [{ watermark: { image: 'logo' } }] }, { image, logo: logo.subarray(0, 60) }),
      [400, 'invalid_image', undefined],
    ],
    ['an output that does not fit', () => post({ outputs: [{}, { name: 'b', maxBytes: 10 }] }), [422, 'cannot_fit', undefined]],
  ]
  for (const [says, send, expected] of rows) {
    test(says, async () => {
      const before = await usedRemovals()
      assert.deepEqual(faults(await send()), expected)
      assert.deepEqual(await usedRemovals(), before)
    })
  }
})

test('the picture itself can be its own watermark', async () => {
  const { status, bytes } = await post({ steps: [{ watermark: { image: 'image', scale: 0.5 } }], outputs: [{ format: 'png' }] })
  assert.deepEqual([status, recognise(bytes)?.name], [200, 'png'])
})

test('steps that would take too long together are refused before they begin, and cost nothing', async () => {
  const before = await usedRemovals()
  const steps = Array.from({ length: 10 }, () => [{ resize: { width: 10_000 } }, { resize: { width: 1 } }]).flat()
  const answer = await post({ steps })
  assert.deepEqual(faults(answer), [400, 'image_too_large', undefined])
  assert.match(answer.error?.message ?? '', /The steps of an output would take about \d+ seconds of a processor core; at most 30/)
  assert.deepEqual(await usedRemovals(), before)
})

test('when not all outputs can be paid, nothing is made', async () => {
  const poor = await makeAccount(database, 'free')
  await grant(database, poor.id, 2)
  const ask = () => post(three, { image, logo }, { authorization: `Bearer ${poor.key}` })
  const { status, error } = await ask()
  assert.deepEqual([status, error?.statusMessage], [402, 'insufficient_credits'])
  assert.match(error?.message ?? '', /3 images.* 2 credits are left/)
  assert.deepEqual(await usedRemovals(poor.id), { month: 0, credits: 2, reserved: 0 })
  await grant(database, poor.id, 1)
  const answer = await ask()
  assert.deepEqual([answer.status, answer.headers.get('x-credits-remaining')], [200, '0'])
  assert.deepEqual(await usedRemovals(poor.id), { month: 0, credits: 0, reserved: 0 })
})

test('a request that is repeated with its key gets the same bytes, and is charged once', async () => {
  const headers = { 'idempotency-key': 'one' }
  const before = await usedRemovals()
  const first = await post(three, { image, logo }, headers)
  const again = await post(three, { image, logo }, headers)
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, 'true'])
  assert.deepEqual(again.bytes, first.bytes)
  assert.equal((await usedRemovals()).month, before.month + 3)
  assert.deepEqual(faults(await post({}, { image }, headers)), [409, 'idempotency_key_reused', undefined])
})

describe('presets', () => {
  const call = async (method: string, path: string, body?: unknown, owner = account) => {
    const response = await fetch(`${server.url}/api/user/presets${path}`, {
      method,
      headers: { authorization: `Bearer ${await makeLogin(database, owner.id)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const recipe = { steps: [{ resize: { width: 50 } }], outputs: [{ format: 'png' }] }

  test('are kept, replaced, listed by name, used, and removed', async () => {
    assert.deepEqual((await call('GET', '')).body, { presets: [] })
    const { status, body } = await call('PUT', '/web', { recipe })
    assert.deepEqual([status, body.name, body.recipeId], [200, 'web', recipeId(recipeSchema.parse(recipe))])
    assert.deepEqual(body.recipe, recipeSchema.parse(recipe))
    await call('PUT', '/a', { recipe: {} })
    await call('PUT', '/web', { recipe: { ...recipe, outputs: [{ format: 'webp' }] } })
    const names = (await call('GET', '')).body.presets.map(({ name }: { readonly name: string }) => name)
    assert.deepEqual(names, ['a', 'web'])
    const madeAnswer = await post(undefined, { image }, {}, { preset: 'web' })
    assert.deepEqual(
      [madeAnswer.status, madeAnswer.headers.get('content-type'), madeAnswer.headers.get('x-image-width')],
      [200, 'image/webp', '50'],
    )
    assert.deepEqual(await call('DELETE', '/web'), { status: 204, body: undefined })
    assert.equal((await call('DELETE', '/web')).body.statusMessage, 'preset_not_found')
  })

  test('belong to their account', async () => {
    await call('PUT', '/own', { recipe })
    const other = await makeAccount(database, 'team')
    assert.deepEqual((await call('GET', '', undefined, other)).body, { presets: [] })
    const stranger = await post(undefined, { image }, { authorization: `Bearer ${other.key}` }, { preset: 'own' })
    assert.deepEqual([stranger.status, stranger.error?.statusMessage], [404, 'preset_not_found'])
  })

  test('with a faulty name or recipe are refused', async () => {
    const paths = (body: { readonly issues: readonly { readonly path: readonly unknown[] }[] }) =>
      body.issues.map(({ path }) => path.join('.'))
    assert.deepEqual(paths((await call('PUT', '/Web', { recipe })).body), ['name'])
    assert.deepEqual(paths((await call('PUT', '/web', { recipe: { steps: [{ crop: {} }] } })).body).slice(0, 1), [
      'recipe.steps.0.crop.width',
    ])
  })

  test('an account has at most 100', async () => {
    const { id } = await makeAccount(database, 'team')
    await database.pool.query(
      `insert into preset (account_id, name, recipe) select $1, 'p' || n, '{}' from generate_series(1, 100) n`,
      [id],
    )
    const owner = { ...account, id }
    assert.equal((await call('PUT', '/p1', { recipe }, owner)).status, 200)
    assert.equal((await call('PUT', '/one-more', { recipe }, owner)).body.statusMessage, 'too_many_presets')
  })
})

test('the preset favicon gives the files of an icon from one picture', async () => {
  const { status, bytes } = await post(undefined, { image }, {}, { preset: 'favicon' })
  assert.equal(status, 200)
  const files = await unzip(bytes)
  const sizes = await Promise.all(
    Object.entries(files)
      .filter(([name]) => name !== 'manifest.json')
      .map(async ([name, file]) => {
        const { width, height, codec } = await readHeader(file)
        return [name, codec.name, width, height]
      }),
  )
  assert.deepEqual(sizes, [
    ['favicon.ico', 'ico', 48, 48],
    ['apple-touch-icon.png', 'png', 180, 180],
    ['icon-192.png', 'png', 192, 192],
    ['icon-512.png', 'png', 512, 512],
  ])
  const icon = await post({ outputs: [{ format: 'png' }] }, { image: files['favicon.ico'] as Buffer })
  assert.equal((await sharp(icon.bytes).metadata()).width, 48)
  assert.ok(near(await pixel(icon.bytes, 24, 24), await pixel(image, 120, 80), 60))
})
