import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { photo, pixel } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import {
  damagedText,
  dataUri,
  OPERATOR_KEY,
  picture,
  type SharedAiServer,
  shareAiServer,
} from '../../../../test/support/ai-server.ts'
import { type Habit, imageOf, SPENT, says } from '../../../../test/support/fake-vision.ts'
import { agentOn } from '../../../mcp/test/agent.ts'

interface AltTexts {
  readonly results: readonly {
    readonly index: number
    readonly status: string
    readonly altText?: string
    readonly error?: { readonly code: string; readonly message: string; readonly kind?: string }
  }[]
  readonly summary: unknown
  readonly usage: unknown
  readonly quota?: { readonly used: number }
}

/** Names the colour that it sees; the redder, the later it answers. */
const namesColours: Habit = async (response, askedValue, time) => {
  const [red = 0, green = 0] = await pixel(imageOf(askedValue), 0, 0)
  await sleep(red)
  if (green > 200) return void response.writeHead(500).end()
  says(JSON.stringify({ altText: `Colour ${Math.round(red / 10)}`, textInImage: '', confidence: 0.9 }))(
    response,
    askedValue,
    time,
  )
}

let server: SharedAiServer
before(async () => {
  server = await shareAiServer({ platform: namesColours, same: says('{"altText": "The same words."}') })
})
after(() => server[Symbol.asyncDispose]())

const altTexts = ({ results }: AltTexts) => results.map(({ altText, error }) => altText ?? error?.code)

test('the answer has every field of the contract', async () => {
  const images = [await picture('#640000'), await picture('#500000')]
  const sentValue = { images, language: 'de', style: 'seo' }
  const { status, body, headers } = await server.ask('alt-text', sentValue, await server.signedIn('pro'))
  assert.equal(status, 200, JSON.stringify(body))
  const suggestionOf = (index: number, altText: string) => ({
    index,
    status: 'ok',
    altText,
    language: 'de',
    style: 'seo',
    decorative: false,
    textInImage: null,
    confidence: 0.9,
  })
  const { quota, ...rest } = body
  assert.deepEqual(rest, {
    results: [suggestionOf(0, 'Colour 10'), suggestionOf(1, 'Colour 8')],
    summary: { total: 2, succeeded: 2, failed: 0 },
    provider: 'platform',
    model: 'fake-vl',
    usage: { inputTokens: 2 * SPENT.inputTokens, outputTokens: 2 * SPENT.outputTokens, totalTokens: 2 * SPENT.totalTokens },
  })
  const { resetsAt, ...counts } = quota as { readonly resetsAt: string }
  assert.deepEqual(counts, { limit: 100, used: 2, remaining: 98 })
  assert.match(resetsAt, /T00:00:00\.000Z$/)
  assert.deepEqual([headers.get('x-ai-limit'), headers.get('x-ai-remaining')], ['100', '98'])
})

test('results are in the order of the images, though answers come in another', async () => {
  const reds = [250, 10, 200, 30, 150, 90, 70, 110, 130, 50]
  const images = await Promise.all(reds.map((red) => picture(`#${red.toString(16).padStart(2, '0')}0000`)))
  const { body } = await server.ask<AltTexts>('alt-text', { images })
  assert.deepEqual(
    altTexts(body),
    reds.map((red) => `Colour ${red / 10}`),
  )
  assert.deepEqual(
    body.results.map(({ index }) => index),
    reds.map((_, index) => index),
  )
})

test('an image that fails does not fail the others, and counts for no quota', async () => {
  const token = await server.signedIn('pro')
  const images = [await picture('#000000'), damagedText, await picture('#00ff00'), dataUri(Buffer.from('%PDF-1.7 '.repeat(9)))]
  const { status, body, headers } = await server.ask<AltTexts>('alt-text', { images }, token)
  assert.equal(status, 200)
  assert.deepEqual(altTexts(body), ['Colour 0', 'invalid_image', 'ai_provider_error', 'invalid_image_type'])
  assert.deepEqual(body.summary, { total: 4, succeeded: 1, failed: 3 })
  assert.equal(body.results[2]?.error?.kind, 'network')
  assert.equal(body.quota?.used, 1)
  assert.equal(headers.get('x-ai-remaining'), '99')
})

test('when all images fail, the answer is the first one’s error, and nothing is counted', async () => {
  const token = await server.signedIn('pro')
  const { status, error, headers } = await server.ask('alt-text', { images: [damagedText, await picture('#00ff00')] }, token)
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image'])
  assert.equal(headers.get('x-ai-remaining'), '100')
})

test('a model sees a small JPEG without metadata, and the operator’s key', async () => {
  const bytes = await photo(3_000, 1_500)
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .jpeg()
    .toBuffer()
  await server.ask('alt-text', { images: [dataUri(bytes, 'image/jpeg')] })
  const last = server.model.requests.at(-1)
  assert.ok(last)
  const copy = imageOf(last.asked)
  const { format, width, height, exif } = await sharp(copy).metadata()
  assert.deepEqual([format, width, height, exif], ['jpeg', 1_024, 512, undefined])
  assert.equal(last.headers.authorization, `Bearer ${OPERATOR_KEY}`)
})

test('an image is what its bytes are, whatever its data URI says', async () => {
  const png = (await picture('#0a0000')).split(',')[1] ?? ''
  const { body } = await server.ask<AltTexts>('alt-text', { images: [`data:image/webp;base64,${png}`] })
  assert.deepEqual(altTexts(body), ['Colour 1'])
})

test('a model of the caller’s own answers without a quota, for any plan', async () => {
  const token = await server.signedIn('free')
  const { status, body, headers } = await server.ask(
    'alt-text',
    { images: [await picture('#000')], ...server.ownModel('same') },
    token,
  )
  assert.equal(status, 200)
  assert.equal(body.provider, 'byok')
  assert.ok(!('quota' in body))
  assert.equal(headers.get('x-ai-limit'), null)
  assert.equal(server.model.requests.at(-1)?.headers.authorization, 'Bearer sk-own-canary')
})

const refusedValue: Readonly<Record<string, readonly [path: readonly (string | number)[], body: (image: string) => unknown]>> = {
  'no image': [['images'], () => ({ images: [] })],
  '11 images': [['images'], (image) => ({ images: Array(11).fill(image) })],
  'no list': [['images'], (image) => ({ images: image })],
  'no data URI': [['images', 0], () => ({ images: ['https://example.com/a.jpg'] })],
  'a language that is none of the nine': [['language'], (image) => ({ images: [image], language: 'tlh' })],
  'a style that does not exist': [['style'], (image) => ({ images: [image], style: 'haiku' })],
  'a language that all objects have': [['language'], (image) => ({ images: [image], language: 'constructor' })],
}
for (const [what, [path, body]] of Object.entries(refusedValue))
  test(`${what} is refused, and no model asked`, async () => {
    const before = server.model.requests.length
    const { status, error } = await server.ask('alt-text', body(await picture('#000')))
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'])
    assert.deepEqual(error?.issues?.[0]?.path, path)
    assert.equal(server.model.requests.length, before)
  })

test('an optional field that is blank counts as absent, also inside another', async () => {
  const body = { images: [await picture('#000')], language: '', style: null, ...server.ownModel('same') }
  const sentValue = { ...body, userProvider: { ...body.userProvider, useAccountKey: null } }
  const { status, body: answer } = await server.ask<{ results: [{ language: string }] }>(
    'alt-text',
    sentValue,
    await server.signedIn(),
  )
  assert.equal(status, 200, JSON.stringify(answer))
  assert.equal(answer.results[0].language, 'en')
})

test('the files of a form are images too, in their order', async () => {
  const fields = new FormData()
  for (const [name, colour] of [
    ['image', '#640000'],
    ['second', '#500000'],
  ] as const) {
    const [, base64 = ''] = (await picture(colour)).split(',')
    fields.set(name, new Blob([new Uint8Array(Buffer.from(base64, 'base64'))]), `${name}.png`)
  }
  fields.set('language', 'de')
  fields.set('style', 'concise')
  const token = await server.signedIn('pro')
  const { status, body } = await server.ask<AltTexts & { results: { language: string }[] }>('alt-text', fields, token)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(altTexts(body), ['Colour 10', 'Colour 8'])
  assert.equal(body.results[0]?.language, 'de')
  const own = new FormData()
  own.set('image', fields.get('image') as File)
  own.set('userProvider', JSON.stringify(server.ownModel('same').userProvider))
  assert.deepEqual(altTexts((await server.ask<AltTexts>('alt-text', own, token)).body), ['The same words.'])
})

test('a form that is none, without an image, or with a wrong field is refused', async () => {
  const [, base64 = ''] = (await picture('#640000')).split(',')
  const formWith = (fields: Readonly<Record<string, string>>, hasImage = true) => {
    const data = new FormData()
    if (hasImage) data.set('image', new Blob([new Uint8Array(Buffer.from(base64, 'base64'))]), 'a.png')
    for (const [name, text] of Object.entries(fields)) data.set(name, text)
    return data
  }
  const refusal = async (form: FormData) =>
    (await server.ask('alt-text', form, await server.signedIn('pro'))).error?.statusMessage
  assert.equal(await refusal(formWith({}, false)), 'invalid_params')
  assert.equal(await refusal(formWith({ language: 'xx' })), 'invalid_params')
  assert.equal(await refusal(formWith({ userProvider: '{' })), 'invalid_params')
})

test('an agent gets the sizes of a picture and its text in one call', async () => {
  await using agent = await agentOn({ url: server.url, key: server.key }, '2025-11-25')
  const [, base64 = ''] = (await picture('#640000')).split(',')
  const { altText, outputs } = await agent.call<{ altText: string; outputs: readonly object[] }>('prepare_image', {
    image: { base64 },
    widths: [2],
  })
  assert.deepEqual([altText, outputs.length], ['Colour 10', 1])
})

test('POST /api/v3/images with describe says of the source what a page needs', async () => {
  const [, base64 = ''] = (await picture('#640000')).split(',')
  const make = async (caller: Readonly<Record<string, string>>) => {
    const form = new FormData()
    form.set('image', new Blob([new Uint8Array(Buffer.from(base64, 'base64'))]), 'a.png')
    form.set('recipe', JSON.stringify({ steps: [{ resize: { width: 4 } }] }))
    form.set('describe', 'true')
    const headers = { ...caller, accept: 'multipart/mixed' }
    return await fetch(`${server.url}/api/v3/images`, { method: 'POST', headers, body: form })
  }
  const session = { cookie: `session=${await server.signedIn('pro')}`, origin: server.url }
  for (const caller of [{ authorization: `Bearer ${server.key}` }, session]) {
    const answer = await make(caller)
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    const [manifest = ''] = /\{[\s\S]*?\n\}\n/.exec(text) ?? []
    const { source, outputs } = JSON.parse(manifest)
    assert.equal(outputs.length, 1)
    assert.deepEqual([source.altText, source.decorative, typeof source.blurHash], ['Colour 10', false, 'string'])
  }
})
