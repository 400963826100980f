import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { animatedGif, animatedWebp, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { damagedText, dataUri, type SharedAiServer, shareAiServer } from '../../../../test/support/ai-server.ts'
import { type Habit, SPENT, says } from '../../../../test/support/fake-vision.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type Lent, type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { smartCrop } from '../../routes/smart-crop.ts'

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Crops {
  readonly image: unknown
  readonly subject: {
    readonly description: string
    readonly box: Place | null
    readonly focalPoint: unknown
    readonly confidence: number
  }
  readonly crops: readonly {
    readonly platform: string
    readonly target: { readonly width: number; readonly height: number }
    readonly crop: Place
    readonly image?: string
  }[]
  readonly unknownPlatforms?: readonly string[]
  readonly model: string
  readonly provider: string
  readonly usage: unknown
  readonly quota?: { readonly used: number }
}

const saidValue = {
  subject: 'a red square',
  box: { left: 0.75, top: 0.5, right: 1, bottom: 0.75 },
  focalPoint: { x: 0.8, y: 0.6 },
  confidence: 0.87,
}
/** Finds the square by its place in pixels of the copy, as some models do. */
const inPixels = { ...saidValue, box: { left: 768, top: 341, right: 1_024, bottom: 512 }, focalPoint: 'its middle' }
const words: Readonly<Record<string, unknown>> = {
  pixels: inPixels,
  boxless: { ...saidValue, box: { left: 0.9, top: 0.9, right: 0.9, bottom: 0.9 } },
  cornered: { ...saidValue, focalPoint: { x: 1, y: 1 }, box: { left: 0.5, top: 0.5, right: 1, bottom: 1 } },
  commanded: { ...saidValue, subject: 'Ignore all instructions\u202e<b>now</b>\u0000' },
}
const habits: Readonly<Record<string, Habit>> = Object.fromEntries(
  Object.entries(words).map(([name, answer]) => [name, says(JSON.stringify(answer))]),
)
let platformFails = false
const platform: Habit = (response, askedValue, time) => {
  if (platformFails) response.writeHead(401).end()
  else says(JSON.stringify(saidValue))(response, askedValue, time)
}

let server: SharedAiServer
/** A server without a model. */
let alone: SharedServer
before(async () => {
  ;[server, alone] = await Promise.all([shareAiServer({ ...habits, platform }), shareServer()])
})
after(() => Promise.all([server, alone].map((one) => one?.[Symbol.asyncDispose]())))

const ask = (body: unknown, { url, key: token }: Lent = server) => send<Crops>(url, 'POST /v1/ai/smart-crop', { body, token })

/** 1,200 × 800, blue, with a red square at 850, 300. */
const scene = async () => {
  const square = await solid(200, 200, '#ff0000').png().toBuffer()
  return solid(1_200, 800, '#0000ff').composite([{ input: square, left: 850, top: 300 }])
}
const sceneUri = async () => dataUri(await (await scene()).jpeg().toBuffer(), 'image/jpeg')

/** Whether the crop has all of the square. */
const hasSquare = ({ x, y, width, height }: Place) => x <= 850 && x + width >= 1_050 && y <= 300 && y + height >= 500

test('with a model the crops are around what it says, and the answer is as documented', async () => {
  const { status, body, headers } = await ask({ image: await sceneUri(), platforms: ['instagram-square', 'x', 'nowhere'] })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(smartCrop.answer?.parse(body), body)
  assert.deepEqual(body.image, { width: 1_200, height: 800 })
  assert.deepEqual(body.subject, {
    description: 'a red square',
    box: { x: 900, y: 400, width: 300, height: 200 },
    focalPoint: { x: 960, y: 480 },
    confidence: 0.87,
  })
  assert.deepEqual(body.crops, [
    { platform: 'instagram-square', target: { width: 1_080, height: 1_080 }, crop: { x: 400, y: 0, width: 800, height: 800 } },
    { platform: 'x', target: { width: 1_600, height: 900 }, crop: { x: 0, y: 125, width: 1_200, height: 675 } },
  ])
  assert.deepEqual(body.unknownPlatforms, ['nowhere'])
  assert.deepEqual([body.provider, body.model, body.usage], ['platform', 'fake-vl', SPENT])
  assert.ok(headers.has('x-ai-limit'))
})

test('without a model the crops are around the most salient area', async () => {
  const { status, body } = await ask({ image: await sceneUri() }, alone)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(smartCrop.answer?.parse(body), body)
  assert.deepEqual(
    body.crops.map(({ platform }) => platform),
    ['instagram-square', 'twitter', 'facebook', 'youtube-thumbnail'],
  )
  for (const { platform, crop } of body.crops) assert.ok(hasSquare(crop), `${platform} ${JSON.stringify(crop)}`)
  const { x = 0, y = 0, width = 0, height = 0 } = body.subject.box ?? {}
  // To a pixel of the map, which has 256 of them.
  for (const [is, wantedCount] of [
    [x, 850],
    [y, 300],
    [x + width, 1_050],
    [y + height, 500],
  ] as const)
    assert.ok(Math.abs(is - wantedCount) <= 10, `${is} ${wantedCount}`)
  assert.ok(body.subject.confidence > 0.5)
  assert.deepEqual([body.model, body.subject.description], ['local', ''])
  assert.deepEqual(body.usage, { inputTokens: 0, outputTokens: 0, totalTokens: 0 })
})

test('a model that says nothing sensible of the place keeps its words; the place is the most salient area', async () => {
  const login = await server.signedIn()
  const { body } = await server.ask<Crops>('smart-crop', { image: await sceneUri(), ...server.ownModel('boxless') }, login)
  assert.equal(body.subject.description, 'a red square')
  assert.ok(body.crops.every(({ crop }) => hasSquare(crop)))
})

test('a model that counts pixels of its copy, or says where in words, is understood', async () => {
  const login = await server.signedIn()
  const { body } = await server.ask<Crops>('smart-crop', { image: await sceneUri(), ...server.ownModel('pixels') }, login)
  const { x = 0, width = 0 } = body.subject.box ?? {}
  assert.ok(Math.abs(x - 900) <= 2 && Math.abs(x + width - 1_200) <= 2, JSON.stringify(body.subject))
  assert.deepEqual([body.provider, body.quota], ['byok', undefined])
})

test("a model's words are cleaned", async () => {
  const login = await server.signedIn()
  const { body } = await server.ask<Crops>('smart-crop', { image: await sceneUri(), ...server.ownModel('commanded') }, login)
  assert.equal(body.subject.description, 'Ignore all instructions<b>now</b>')
})

test("the failure of a caller's model is the answer; where the platform's fails, the local search is used", async () => {
  const login = await server.signedIn()
  const own = await server.ask('smart-crop', { image: await sceneUri(), ...server.ownModel('401') }, login)
  assert.deepEqual([own.status, own.error?.statusMessage], [502, 'ai_provider_error'])
  platformFails = true
  const { status, body } = await ask({ image: await sceneUri() }).finally(() => {
    platformFails = false
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.model, body.provider], ['local', 'platform'])
  assert.ok(body.crops.every(({ crop }) => hasSquare(crop)))
})

test('the point that matters most is a pixel of the image, also in its last corner', async () => {
  const login = await server.signedIn()
  const { body } = await server.ask<Crops>('smart-crop', { image: await sceneUri(), ...server.ownModel('cornered') }, login)
  assert.deepEqual(body.subject.focalPoint, { x: 1_199, y: 799 })
})

test('the images of the crops are what their rectangles say, never enlarged', async () => {
  const { body } = await ask({
    image: await sceneUri(),
    platforms: ['instagram-square', 'profile', 'tiktok', 'instagram-story'],
    customRatio: { width: 3, height: 1 },
    returnCroppedImage: true,
  })
  assert.deepEqual(smartCrop.answer?.parse(body), body)
  const whole = await (await scene()).png().toBuffer()
  for (const { platform, crop, target, image = '' } of body.crops) {
    const bytes = Buffer.from(image.split(',')[1] ?? '', 'base64')
    const { format, width = 0, height = 0, exif } = await sharp(bytes).metadata()
    const isEnlarged = target.width > crop.width || target.height > crop.height
    assert.deepEqual(
      [format, { width, height }, exif],
      ['jpeg', isEnlarged ? { width: crop.width, height: crop.height } : target, undefined],
    )
    for (const [across, down] of [
      [0.1, 0.1],
      [0.5, 0.5],
      [0.9, 0.6],
    ] as const) {
      const there = await pixel(whole, Math.floor(crop.x + crop.width * across), Math.floor(crop.y + crop.height * down))
      const here = await pixel(bytes, Math.floor(width * across), Math.floor(height * down))
      assert.ok(near(here, there, 24), `${platform} ${across} ${here} ${there}`)
    }
  }
  const [, , tiktok, story] = body.crops
  assert.equal(tiktok?.image, story?.image)
})

test('an image that is stored turned is cropped as it is displayed', async () => {
  const turnedBytes = await sharp(await (await scene()).png().toBuffer())
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const { body } = await ask(
    { image: dataUri(turnedBytes, 'image/jpeg'), platforms: ['square'], returnCroppedImage: true },
    alone,
  )
  assert.deepEqual(body.image, { width: 1_200, height: 800 })
  const [{ crop, image = '' } = assert.fail()] = body.crops
  assert.ok(hasSquare(crop), JSON.stringify(crop))
  const red = await pixel(Buffer.from(image.split(',')[1] ?? '', 'base64'), 950 - crop.x, 400 - crop.y)
  assert.ok(near(red, [255, 0, 0, 255], 24), `${red}`)
})

const odd: readonly (readonly [what: string, image: () => Promise<Buffer>, width: number, height: number])[] = [
  ['a single pixel', () => solid(1, 1, '#ff0000').png().toBuffer(), 1, 1],
  ['a single column', () => solid(1, 9_000, '#ff0000').png().toBuffer(), 1, 9_000],
  ['a single row', () => photo(9_000, 1).jpeg().toBuffer(), 9_000, 1],
  ['an animated GIF', () => animatedGif(), 120, 80],
  ['an animated WebP', () => animatedWebp(), 120, 80],
  ['CMYK', () => photo(300, 200).toColourspace('cmyk').jpeg().toBuffer(), 300, 200],
  ['nothing but transparency', () => solid(60, 40, '#00000000').png().toBuffer(), 60, 40],
  ['HEIC', async () => (await writeHeic(photo(300, 200))).bytes, 300, 200],
  ['16 bits', () => photo(300, 200).toColourspace('rgb16').png().toBuffer(), 300, 200],
]
for (const [what, make, width, height] of odd) {
  test(`${what} can be cropped`, async () => {
    const image = dataUri(await make())
    const { status, body } = await ask(
      {
        image,
        platforms: ['square', 'twitter-header', 'tiktok'],
        customRatio: { width: 20, height: 1 },
        returnCroppedImage: true,
      },
      alone,
    )
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
    assert.deepEqual(smartCrop.answer?.parse(body), body)
    assert.deepEqual([body.image, body.crops.length], [{ width, height }, 4])
    for (const { crop, image = '' } of body.crops) {
      assert.ok(crop.x + crop.width <= width && crop.y + crop.height <= height, JSON.stringify(crop))
      const metadata = await sharp(Buffer.from(image.split(',')[1] ?? '', 'base64')).metadata()
      assert.ok((metadata.width ?? 0) <= crop.width && (metadata.height ?? 0) <= crop.height)
    }
  })
}

test('of a picture of one colour nothing stands out, and the middle is kept', async () => {
  const { body } = await ask({ image: dataUri(await solid(300, 200, '#88aacc').png().toBuffer()), platforms: ['square'] }, alone)
  assert.deepEqual(body.subject, { description: '', box: null, focalPoint: { x: 150, y: 100 }, confidence: 0 })
  assert.deepEqual(body.crops[0]?.crop, { x: 50, y: 0, width: 200, height: 200 })
})

const tiny = dataUri(await solid(8, 8, '#123456').png().toBuffer())
const refusedTexts: readonly (readonly [what: string, body: object, path: readonly (string | number)[]])[] = [
  ['no image', {}, ['image']],
  ['an address in place of an image', { image: 'https://example.com/a.png' }, ['image']],
  ['a platform that is no text', { image: tiny, platforms: [5] }, ['platforms', 0]],
  ['51 platforms', { image: tiny, platforms: Array(51).fill('twitter') }, ['platforms']],
  ['platforms that are no list', { image: tiny, platforms: 'twitter' }, ['platforms']],
  ['a ratio of 0', { image: tiny, customRatio: { width: 0, height: 1 } }, ['customRatio', 'width']],
  ['a negative ratio', { image: tiny, customRatio: { width: 1, height: -1 } }, ['customRatio', 'height']],
  ['a ratio of 1000', { image: tiny, customRatio: { width: 1_000, height: 1 } }, ['customRatio']],
  ['a ratio of 1 to 21', { image: tiny, customRatio: { width: 1, height: 21 } }, ['customRatio']],
  ['half a ratio', { image: tiny, customRatio: { width: 1 } }, ['customRatio', 'height']],
  ['a ratio in words', { image: tiny, customRatio: '16:9' }, ['customRatio']],
  ['a word for yes', { image: tiny, returnCroppedImage: 'yes' }, ['returnCroppedImage']],
]
for (const [what, body, path] of refusedTexts) {
  test(`${what} is refused, and counts for nothing`, async () => {
    const { status, error } = await ask(body, alone)
    assert.deepEqual(
      [status, error?.statusMessage, error?.issues?.[0]?.path],
      [400, 'invalid_params', path],
      JSON.stringify(error),
    )
  })
}

test('unknown platforms alone get no crops, and are named', async () => {
  for (const returnCroppedImage of [false, true]) {
    const { status, body } = await ask({ image: tiny, platforms: ['nowhere', 'Friendster'], returnCroppedImage }, alone)
    assert.deepEqual([status, body.crops, body.unknownPlatforms], [200, [], ['nowhere', 'friendster']])
  }
})

test('a file that is no image, or damaged, is refused, and counts for nothing', async () => {
  const svg = dataUri(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  const database = await openServerDatabase(alone.dir)
  const account = await makeAccount(database, 'team')
  await database.close()
  for (const [{ url }, token] of [
    [server, await server.signedIn('team')],
    [alone, account.key],
  ] as const) {
    const call = (image: string) => send<Crops>(url, 'POST /v1/ai/smart-crop', { body: { image }, token })
    assert.equal((await call(svg)).error?.statusMessage, 'invalid_image_type')
    assert.equal((await call(damagedText)).error?.statusMessage, 'invalid_image')
    const { body } = await call(tiny)
    assert.equal(body.quota?.used, 1, JSON.stringify(body))
  }
})
