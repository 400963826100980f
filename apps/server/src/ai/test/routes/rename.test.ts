import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { damagedText, dataUri, picture, type SharedAiServer, shareAiServer } from '../../../../test/support/ai-server.ts'
import { says } from '../../../../test/support/fake-vision.ts'

interface Renamed {
  readonly results: readonly {
    readonly originalName?: string
    readonly newName?: string
    readonly extension?: string
    readonly alternatives?: readonly string[]
    readonly error?: { readonly code: string }
  }[]
  readonly summary: unknown
}

let server: SharedAiServer
before(async () => {
  const bicycle = { subject: 'red bicycle', alternatives: ['old bike', 'wall'], confidence: '90%' }
  server = await shareAiServer({ platform: says(JSON.stringify(bicycle)) })
})
after(() => server[Symbol.asyncDispose]())

const namesIn = ({ results }: Renamed) => results.map(({ newName, error }) => newName ?? error?.code)

test('the answer has every field of the contract', async () => {
  const data = await picture('#f00')
  const { status, body } = await server.ask<Renamed>('rename', { images: [{ data, originalName: 'IMG_1234.PNG' }] })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.results, [
    {
      index: 0,
      status: 'ok',
      originalName: 'IMG_1234.PNG',
      newName: 'red-bicycle.png',
      extension: 'png',
      alternatives: ['old-bike.png', 'wall.png'],
      confidence: 0.9,
    },
  ])
  assert.deepEqual(body.summary, { total: 1, succeeded: 1, failed: 0 })
})

test('names are unique, numbered by their places, and of the style asked for', async () => {
  const data = await picture('#f00')
  const images = [{ data }, { data: damagedText }, { data, originalName: null }, { data, originalName: 'x.jpg' }]
  const rules = { prefix: 'Müller & Söhne', includeSequence: true, style: 'snake', unknown: 'ignored' }
  const { body } = await server.ask<Renamed>('rename', { images, rules })
  assert.deepEqual(namesIn(body), [
    'mueller_and_soehne_red_bicycle_01.png',
    'invalid_image',
    'mueller_and_soehne_red_bicycle_03.png',
    'mueller_and_soehne_red_bicycle_04.png',
  ])
  assert.equal(body.results[0]?.originalName, 'image')
  const all = body.results.flatMap(({ newName, alternatives = [] }) => [newName, ...alternatives])
  assert.equal(new Set(all).size, 10)
})

test('styles also go by the names that people write', async () => {
  const data = await picture('#f00')
  const styles = {
    'kebab-case': 'red-bicycle',
    kebab: 'red-bicycle',
    snake_case: 'red_bicycle',
    camelCase: 'redBicycle',
    PascalCase: 'RedBicycle',
    'title case': 'Red Bicycle',
    lowercase: 'redbicycle',
  }
  for (const [style, name] of Object.entries(styles)) {
    const { body } = await server.ask<Renamed>('rename', { images: [{ data }], rules: { style } })
    assert.deepEqual(namesIn(body), [`${name}.png`], style)
  }
})

test('the extension is of the bytes, and kept where it fits them', async () => {
  const jpeg = dataUri(await solid(8, 8, '#f00').jpeg().toBuffer(), 'image/png')
  const names = ['a.JPEG', 'evil.php', 'b.png', '..', 'c.jpg']
  const images = names.map((originalName) => ({ data: jpeg, originalName }))
  const { body } = await server.ask<Renamed>('rename', { images })
  assert.deepEqual(
    body.results.map(({ newName = '' }) => newName.split('.')[1]),
    ['jpeg', 'jpg', 'jpg', 'jpg', 'jpg'],
  )
  assert.deepEqual(
    body.results.map(({ originalName }) => originalName),
    names,
  )
})

test('20 images with one subject get 20 names, and a model sees a cleaned original name', async () => {
  const data = await picture('#f00')
  const images = Array.from({ length: 20 }, () => ({ data, originalName: 'a\u202e"b\ufeff.png' }))
  const { body } = await server.ask<Renamed>('rename', { images })
  assert.equal(new Set(namesIn(body)).size, 20)
  const [, user] = server.model.requests.at(-1)?.asked.messages ?? []
  assert.match(JSON.stringify(user?.content), /data: \\"a\\\\\\"b\.png\\"/)
})

test('rules that are blank or null count as absent, one by one and all together', async () => {
  const images = [{ data: await picture('#f00'), originalName: ' ' }]
  for (const rules of [null, {}, { prefix: '', style: '', includeSequence: null }]) {
    const { status, body } = await server.ask<Renamed>('rename', { images, rules })
    assert.deepEqual([status, namesIn(body)], [200, ['red-bicycle.png']], JSON.stringify(body))
  }
})

const refusedValue: Readonly<Record<string, readonly [path: readonly (string | number)[], body: (data: string) => unknown]>> = {
  'no image': [['images'], () => ({ images: [] })],
  '21 images': [['images'], (data) => ({ images: Array(21).fill({ data }) })],
  'a number for an image': [['images', 0], () => ({ images: [5] })],
  'an image without data': [['images', 0, 'data'], () => ({ images: [{ originalName: 'a.jpg' }] })],
  'a name of a thousand letters too many': [
    ['images', 0, 'originalName'],
    (data) => ({ images: [{ data, originalName: 'x'.repeat(2_024) }] }),
  ],
  'an unknown style': [['rules', 'style'], (data) => ({ images: [{ data }], rules: { style: 'screaming' } })],
  'a prefix of 41 characters': [['rules', 'prefix'], (data) => ({ images: [{ data }], rules: { prefix: 'x'.repeat(41) } })],
  'a prefix of which nothing would be left': [['rules', 'prefix'], (data) => ({ images: [{ data }], rules: { prefix: '製品' } })],
  'a sequence that is no boolean': [
    ['rules', 'includeSequence'],
    (data) => ({ images: [{ data }], rules: { includeSequence: 3 } }),
  ],
  'rules that are no object': [['rules'], (data) => ({ images: [{ data }], rules: 'kebab' })],
}
for (const [what, [path, body]] of Object.entries(refusedValue))
  test(`${what} is refused`, async () => {
    const { status, error } = await server.ask('rename', body(await picture('#000')))
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'])
    assert.deepEqual(error?.issues?.[0]?.path, path)
  })
