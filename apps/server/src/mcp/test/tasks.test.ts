import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { at, corners } from '@pixelmill/codecs/test/support/corners'
import { animatedGif, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { getResult, untilEnded, zipOf } from '../../../test/support/batch-call.ts'
import { saveSource } from '../../../test/support/delivery.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { unzip } from '../../../test/support/unzip.ts'
import type { Database } from '../../database/database.ts'
import { type Agent, agentOn, bytesOf, callsOf, type Output, upload } from './agent.ts'

/** What people ask of an agent, as the calls that it then makes. Pictures are checked, and what each task costs. */

const folder = mkdtempSync(join(tmpdir(), 'originals-'))
let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
let agent: Agent
before(async () => {
  server = await shareServer({ DELIVERY_FOLDERS: folder })
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
  await database.pool.query(`update api_key set scopes = scopes || '{sources}' where account_id = $1`, [account.id])
  mkdirSync(join(folder, 'shop'))
  writeFileSync(join(folder, 'shop/blue.jpg'), await solid(400, 300, '#0000ff').jpeg().toBuffer())
  await saveSource(server.url, await makeLogin(database, account.id), 'shop', { type: 'folder', path: join(folder, 'shop') })
  agent = await agentOn({ url: server.url, key: account.key })
})
after(async () => {
  await agent?.[Symbol.asyncDispose]()
  await database?.close()
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const inline = (bytes: Buffer) => ({ base64: bytes.toString('base64') })
const contentOf = (output: Pick<Output, 'uri'>) => bytesOf(output, account.key)
const sentPicture = async (bytes: Buffer, type?: string) => ({
  handle: await upload({ url: server.url, key: account.key }, bytes, type),
})

/** The bytes of an answer's only image, which are what it says of them. */
async function madePicture(image: object, recipe: object, more?: object): Promise<Buffer> {
  const output = await agent.edit({ ...image }, { ...recipe }, { ...more })
  const bytes = await contentOf(output)
  const { format, width, height, compression } = await sharp(bytes).metadata()
  const name = format === 'heif' && compression === 'av1' ? 'avif' : format
  assert.deepEqual([name, width, height, bytes.length], [output.format, output.width, output.height, output.bytes])
  return bytes
}
const sizeOf = async (bytes: Buffer) => {
  const { width, height } = await sharp(bytes).metadata()
  return [width, height]
}

/** @param calls what it costs */
function task(askedText: string, calls: number, run: () => Promise<void>): void {
  test(`${askedText} [${calls}]`, async () => {
    const before = await callsOf(database, account.id)
    await run()
    assert.equal((await callsOf(database, account.id)) - before, calls)
  })
}

const photograph = await photo(1000, 750).jpeg({ quality: 90 }).toBuffer()
/** A red square on grey, at the left. */
const subject = await solid(600, 300, '#888888')
  .composite([{ input: await solid(80, 80, '#e02020').png().toBuffer(), left: 60, top: 110 }])
  .png()
  .toBuffer()
const taggedBytes = await photo(300, 200)
  .withExif({
    IFD0: { Artist: 'Ana Sol' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '8/1 15/1 0/1' },
  })
  .jpeg()
  .toBuffer()

task('make this photograph 500 pixels wide, as AVIF below 20 KB', 1, async () => {
  const bytes = await madePicture(await sentPicture(photograph, 'image/jpeg'), {
    steps: [{ resize: { width: 500 } }],
    outputs: [{ format: 'avif', maxBytes: 20_000 }],
  })
  assert.deepEqual(await sizeOf(bytes), [500, 375])
  assert.ok(bytes.length <= 20_000, String(bytes.length))
})

task('a square thumbnail of the subject', 1, async () => {
  const bytes = await madePicture(inline(subject), {
    steps: [{ resize: { width: 100, height: 100, fit: 'cover', gravity: 'subject' } }],
  })
  assert.deepEqual(await sizeOf(bytes), [100, 100])
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let red = 0
  for (let i = 0; i < data.length; i += info.channels) if ((data[i] ?? 0) > 180 && (data[i + 1] ?? 0) < 90) red++
  assert.ok(red > 500, `${red} pixels of the subject`)
})

task('where would one crop it for a 1:2 banner? Do that', 1, async () => {
  const answer = await agent.call<{ crops: readonly [{ crop: object }] }>('suggest_crop', {
    image: inline(subject),
    ratio: { width: 1, height: 2 },
  })
  const bytes = await madePicture(inline(subject), { steps: [{ crop: answer.crops[0].crop }] })
  assert.deepEqual(await sizeOf(bytes), [150, 300])
})

task('write © Ana at the bottom right', 1, async () => {
  const bytes = await madePicture(inline(await solid(400, 200, '#000000').png().toBuffer()), {
    steps: [{ watermark: { text: '© Ana', position: 'bottom-right', color: '#ffffff', opacity: 100, margin: 0.05 } }],
  })
  const brightest = async (left: number, top: number) =>
    Math.max(...(await sharp(bytes).extract({ left, top, width: 200, height: 100 }).removeAlpha().raw().toBuffer()))
  assert.ok((await brightest(200, 100)) > 200)
  assert.equal(await brightest(0, 0), 0)
})

task('put my logo into the middle', 1, async () => {
  const logo = await sentPicture(await solid(20, 20, '#00ff00').png().toBuffer())
  const bytes = await madePicture(
    inline(await solid(200, 200, '#ffffff').png().toBuffer()),
    { steps: [{ watermark: { image: 'logo', position: 'center', opacity: 100, scale: 0.5 } }] },
    { files: { logo } },
  )
  assert.ok(near(await pixel(bytes, 100, 100), [0, 255, 0, 255]))
  assert.ok(near(await pixel(bytes, 5, 5), [255, 255, 255, 255]))
})

task('remove the background, and put it on white', 1, async () => {
  const bytes = await madePicture(inline(subject), {
    steps: [{ removeBackground: {} }, { background: { color: '#ffffff' } }],
    outputs: [{ format: 'jpeg' }],
  })
  assert.ok(near(await pixel(bytes, 500, 50), [255, 255, 255, 255]), String(await pixel(bytes, 500, 50)))
  assert.ok(near(await pixel(bytes, 100, 150), [224, 32, 32, 255], 30), String(await pixel(bytes, 100, 150)))
})

task('three sizes at once, as WebP', 3, async () => {
  const size = (name: string, width: number) => ({ name, format: 'webp', steps: [{ resize: { width } }] })
  const recipe = { outputs: [size('small', 100), size('medium', 200), size('large', 400)] }
  const { outputs } = await agent.call<{ outputs: readonly Output[] }>('edit_image', {
    image: await sentPicture(photograph, 'image/jpeg'),
    recipe,
  })
  assert.deepEqual(
    outputs.map(({ output, width }) => [output, width]),
    [
      ['small', 100],
      ['medium', 200],
      ['large', 400],
    ],
  )
  for (const output of outputs) assert.deepEqual(await sizeOf(await contentOf(output)), [output.width, output.height])
})

task('is there GPS in it?', 1, async () => {
  const facts = await agent.call<{ exif: { gps: { latitude: number } } }>('inspect_image', {
    image: inline(taggedBytes),
    fields: ['exif', 'exif.gps'],
  })
  assert.equal(facts.exif.gps.latitude, 47.5)
})

task('strip all metadata', 1, async () => {
  const { exif, xmp } = await sharp(await madePicture(inline(taggedBytes), {})).metadata()
  assert.deepEqual([exif, xmp], [undefined, undefined])
})

task('keep who made it, but not where', 2, async () => {
  const output = await agent.edit(inline(taggedBytes), { outputs: [{ metadata: 'copyright' }] })
  const { exif } = await agent.call<{ exif: Record<string, unknown> }>('inspect_image', {
    image: output.image,
    fields: ['exif', 'exif.gps'],
  })
  assert.deepEqual([exif.Artist, exif.gps], ['Ana Sol', undefined])
})

task('turn it clockwise, then take the middle', 1, async () => {
  const bytes = await madePicture(inline(await corners(240, 160).png().toBuffer()), {
    steps: [{ rotate: { angle: 90 } }, { crop: { width: 120, height: 200, gravity: 'center' } }],
  })
  assert.deepEqual(await sizeOf(bytes), [120, 200])
  const before = await sharp(await corners(240, 160).png().toBuffer())
    .rotate(90)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const whole = { data: before.data, ...before.info }
  assert.ok(near(await pixel(bytes, 10, 10), [...at(whole, 30, 30), 255].slice(0, 3)))
})

task('convert HEIC to JPEG', 1, async () => {
  const { bytes: heic } = await writeHeic(solid(64, 48, '#20c040'))
  const bytes = await madePicture(inline(heic), { outputs: [{ format: 'jpeg' }] })
  assert.ok(near(await pixel(bytes, 32, 24), [32, 192, 64, 255], 20))
})

task('make this animation smaller, as WebP', 1, async () => {
  const bytes = await madePicture(inline(await animatedGif()), {
    steps: [{ resize: { width: 60 } }],
    outputs: [{ format: 'webp' }],
  })
  assert.equal((await sharp(bytes).metadata()).pages, 3)
})

task('black and white, mirrored', 1, async () => {
  const bytes = await madePicture(inline(subject), { steps: [{ grayscale: {} }, { flop: {} }] })
  const [red = 0, green = 1] = await pixel(bytes, 500, 150)
  assert.equal(red, green)
  assert.ok(near(await pixel(bytes, 20, 20), [0x88, 0x88, 0x88, 255]))
})

task('cut the border away, and put a margin of 20 white pixels around it', 1, async () => {
  const bytes = await madePicture(inline(subject), {
    steps: [{ trim: {} }, { extend: { top: 20, right: 20, bottom: 20, left: 20, background: '#ffffff' } }],
  })
  assert.deepEqual(await sizeOf(bytes), [120, 120])
  assert.ok(near(await pixel(bytes, 5, 5), [255, 255, 255, 255]))
})

task('an image of my source, as a URL', 1, async () => {
  const image = { source: 'shop', path: 'blue.jpg' }
  const recipe = { steps: [{ resize: { width: 200 } }], outputs: [{ format: 'webp' }] }
  const { image: where, uri } = await agent.edit(image, recipe)
  assert.match(uri, new RegExp(`^${server.url}/i/shop/blue.jpg\\?w=200&enlarge=1&f=webp&s=[\\w-]{22}$`))
  assert.equal(where.url, uri)
  const bytes = Buffer.from(await (await fetch(uri)).arrayBuffer())
  assert.deepEqual(await sizeOf(bytes), [200, 150])
  assert.ok(near(await pixel(bytes, 100, 75), [0, 0, 255, 255]))
  // It is there already.
  assert.equal((await agent.edit(image, recipe)).uri, uri)
})

task('the names of my sources and of their pictures', 0, async () => {
  const { sources } = await agent.call<{ sources: readonly { readonly name: string }[] }>('list_images', {})
  assert.deepEqual(
    sources.map(({ name }) => name),
    ['shop'],
  )
  const listedPage = await agent.call<{ files: readonly { readonly path: string }[] }>('list_images', { source: 'shop' })
  assert.ok(listedPage.files.some(({ path }) => path === 'blue.jpg'))
})

task('the same in two sizes, of which one cannot be made', 1, async () => {
  const image = { source: 'shop', path: 'blue.jpg' }
  const outputs = [
    { name: 'good', steps: [{ resize: { width: 40 } }] },
    { name: 'bad', steps: [{ crop: { x: 0, y: 0, width: 9_000, height: 9_000 } }] },
  ]
  const answer = await agent.call<{ outputs: readonly Output[]; failed: readonly object[] }>('edit_image', {
    image,
    recipe: { outputs },
  })
  assert.deepEqual(
    [answer.outputs.map(({ output }) => output), answer.failed.map((each) => Object.keys(each))],
    [['good'], [['output', 'error', 'message']]],
  )
})

task('convert this ZIP of five', 5, async () => {
  const pictures = await Promise.all(
    [1, 2, 3, 4, 5].map(async (n) => [
      `${n}.png`,
      await solid(n * 10, 20, '#ff0000')
        .png()
        .toBuffer(),
    ]),
  )
  const archive = (await sentPicture(zipOf(Object.fromEntries(pictures)), 'application/zip')).handle
  const recipe = { outputs: [{ format: 'jpeg' }] }
  const { id } = await agent.call<{ id: string }>('make_batch', { archive, recipe })
  await untilEnded({ url: server.url, key: account.key }, id)
  const { status, resultUrl } = await agent.call('batch_status', { id })
  assert.equal(status, 'completed')
  const result = await getResult({ url: server.url, key: account.key }, id)
  assert.equal(resultUrl, result.url)
  const files = await unzip(Buffer.from(await result.arrayBuffer()))
  assert.deepEqual(await sizeOf(files['3.jpg'] ?? assert.fail()), [30, 20])
})

task('make it small, look at it, and then sharpen that', 2, async () => {
  const small = await agent.edit(await sentPicture(photograph, 'image/jpeg'), { steps: [{ resize: { width: 300 } }] })
  const { content } = await agent.client.callTool({
    name: 'edit_image',
    arguments: { image: small.image, recipe: { steps: [{ sharpen: {} }] }, preview: true },
  })
  const shownValue = (content as readonly { type: string; mimeType?: string; data?: string }[]).find(
    ({ type }) => type === 'image',
  )
  assert.equal(shownValue?.mimeType, 'image/jpeg')
  const bytes = Buffer.from(shownValue.data ?? '', 'base64')
  assert.ok(bytes.length <= 32 * 1024, String(bytes.length))
  assert.deepEqual(await sizeOf(bytes), [300, 225])
})

task('whichever format is smallest, at a score of 80', 2, async () => {
  const output = await agent.edit(await sentPicture(photograph, 'image/jpeg'), {
    outputs: [{ format: 'best', visualQuality: 80 }],
  })
  assert.ok(output.bytes < photograph.length, `${output.format}, ${output.bytes} bytes`)
  assert.deepEqual(await agent.call('inspect_image', { image: output.image, fields: ['format'] }), { format: output.format })
})

task('how many calls are left?', 0, async () => {
  const { calls } = await agent.call<{ calls: { used: number; limit: number; remaining: number } }>('usage')
  assert.equal(calls.used, await callsOf(database, account.id))
  assert.equal(calls.remaining, calls.limit - calls.used)
})
