import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { openRemover, photograph, png } from '../../../../test/support/external-remover.ts'
import { KEY, type Protocol, removeBg, startFakeRemoveBg } from '../../../../test/support/fake-remove-bg.ts'
import { inProcess } from '../../../../test/support/in-process.ts'

const picture = await photograph()
const never = new AbortController().signal

interface Row {
  readonly settings: Readonly<Record<string, string>>
  readonly speaks: Protocol
  readonly fields: Readonly<Record<string, string>>
}

/** What each service documents that it takes, written down here once more. */
const rows: Readonly<Record<string, Row>> = {
  'remove.bg': { settings: {}, speaks: removeBg, fields: { size: 'auto', format: 'png' } },
  'a server that speaks as remove.bg, behind a path of its own': {
    settings: { BG_PROVIDER_URL: '/tools/cut?tenant=7' },
    speaks: { ...removeBg, path: '/tools/cut' },
    fields: { size: 'auto', format: 'png' },
  },
  'rembg, with a model': {
    settings: {
      BG_PROVIDER: 'rembg',
      BG_PROVIDER_KEY: '',
      BG_PROVIDER_EXTRA_FIELDS: '{"model":"isnet-general-use","a":true,"af":240}',
    },
    speaks: { path: '/api/remove', key: undefined, fileField: 'file' },
    fields: { model: 'isnet-general-use', a: 'true', af: '240' },
  },
  'rembg behind a proxy that wants a token': {
    settings: { BG_PROVIDER: 'rembg' },
    speaks: { path: '/api/remove', key: ['authorization', `Bearer ${KEY}`], fileField: 'file' },
    fields: {},
  },
  withoutBG: {
    settings: { BG_PROVIDER: 'withoutbg', BG_PROVIDER_KEY: '' },
    speaks: { path: '/v1/remove-background', key: undefined, fileField: 'image' },
    fields: {},
  },
  Clipdrop: {
    settings: { BG_PROVIDER: 'clipdrop' },
    speaks: { path: '/remove-background/v1', key: ['x-api-key', KEY], fileField: 'image_file' },
    fields: {},
  },
  Photoroom: {
    settings: { BG_PROVIDER: 'photoroom' },
    speaks: { path: '/v1/segment', key: ['x-api-key', KEY], fileField: 'image_file' },
    fields: { format: 'png' },
  },
  'one of the operator’s own': {
    settings: {
      BG_PROVIDER: 'custom',
      BG_PROVIDER_URL: '/cut/it/out',
      BG_PROVIDER_KEY_HEADER: 'X-Token',
      BG_PROVIDER_FILE_FIELD: 'photo of mine',
      BG_PROVIDER_EXTRA_FIELDS: '{"quality":"höchste","format":"png"}',
    },
    speaks: { path: '/cut/it/out', key: ['x-token', KEY], fileField: 'photo of mine' },
    fields: { quality: 'höchste', format: 'png' },
  },
}
for (const [name, { settings, speaks, fields }] of Object.entries(rows))
  test(`${name} is asked by its own protocol`, async () => {
    await using fake = await startFakeRemoveBg('ok', speaks)
    const { BG_PROVIDER_URL: path = '', ...others } = settings
    await using open = openRemover(inProcess, fake.url + path, others)
    const { bytes, confidence } = await open.remover.remove([picture], png, never)
    const [askedItem] = fake.requests
    assert.deepEqual([fake.requests.length, askedItem?.fields, confidence], [1, fields, 1])
    assert.equal(askedItem?.path, path === '' ? speaks.path : path)
    assert.deepEqual([askedItem?.file?.name, askedItem?.file?.type], ['image.jpeg', 'image/jpeg'])
    assert.match(askedItem?.headers.accept ?? '', /^image\/png/)
    if (!speaks.key) assert.equal(askedItem?.headers.authorization ?? askedItem?.headers['x-api-key'], undefined)
    assert.equal((await sharp(bytes).metadata()).hasAlpha, true)
  })

test('chunks of a file are one file to the service, and WebP is written where it is wanted', async () => {
  await using fake = await startFakeRemoveBg('webp')
  await using open = openRemover(inProcess, fake.url)
  const chunks = [picture.subarray(0, 100), picture.subarray(100)]
  const { bytes } = await open.remover.remove(chunks, { ...png, format: 'webp' }, never)
  const { format, width, height } = await sharp(bytes).metadata()
  assert.deepEqual([format, width, height], ['webp', 240, 180])
})
