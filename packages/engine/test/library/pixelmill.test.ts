import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import sharp from 'sharp'
import type { Pixelmill } from '../../src/library/calls.ts'
import { EngineClosed, openPixelmill } from '../../src/library/pixelmill.ts'

/** The library as a program uses it: no server, renderers that are confined as a server's are. */

let mill: Pixelmill
const jpeg = await photo(640, 480).jpeg().toBuffer()
before(async () => {
  mill = await openPixelmill({ renderers: 2 })
})
after(() => mill.close())

test('a picture is converted, and its result says what it is', async () => {
  const { bytes, ...facts } = await mill.convert(jpeg, { format: 'webp', width: 64, height: 64, fit: 'cover' })
  assert.deepEqual(facts, {
    name: 'image',
    format: 'webp',
    type: 'image/webp',
    extension: 'webp',
    width: 64,
    height: 64,
    warnings: [],
  })
  const { format, width, height } = await sharp(bytes).metadata()
  assert.deepEqual([format, width, height], ['webp', 64, 64])
})

test('without a format it stays the same; every format that a recipe writes can be asked for', async () => {
  assert.equal((await mill.convert(jpeg, { width: 32 })).format, 'jpeg')
  assert.equal((await mill.convert(jpeg, { width: 32, format: 'gif' })).format, 'gif')
  assert.equal((await mill.convert(jpeg, { width: 32, format: 'auto', accept: 'image/avif' })).format, 'avif')
})

test('bytes, paths, file URLs, blobs and streams are sources', async (t) => {
  const path = join(await tempFolder(t), 'photo.jpg')
  await writeFile(path, jpeg)
  const bytes = new Uint8Array(jpeg)
  const sources = [
    bytes,
    bytes.buffer,
    path,
    pathToFileURL(path),
    new Blob([bytes]),
    new Blob([bytes]).stream(),
    createReadStream(path, { highWaterMark: 1_000 }),
  ]
  for (const source of sources) assert.equal((await mill.info(source, { fields: ['width'] })).width, 640)
})

test('a recipe makes several pictures, with further files', async () => {
  const logo = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  const recipe = {
    steps: [{ resize: { width: 200 } }, { watermark: { image: 'logo', position: 'top-left', opacity: 1 } }],
    outputs: [
      { name: 'large', format: 'png' },
      { name: 'small', format: 'webp', steps: [{ resize: { width: 50 } }] },
    ],
  } as const
  const pictures = await mill.render(jpeg, recipe, { files: { logo } })
  assert.deepEqual(
    pictures.map(({ name, format, width }) => [name, format, width]),
    [
      ['large', 'png', 200],
      ['small', 'webp', 50],
    ],
  )
})

test('optimizing never makes a file larger', async () => {
  const { bytes, format } = await mill.optimize(jpeg)
  assert.equal(format, 'jpeg')
  assert.ok(bytes.length <= jpeg.length)
})

test('crops keep what is salient, and lie inside the picture', async () => {
  const { image, crops, unknownPlatforms } = await mill.suggestCrops(jpeg, {
    platforms: ['instagram-square', 'nowhere'],
    ratio: { width: 3, height: 4 },
  })
  assert.deepEqual([image, unknownPlatforms], [{ width: 640, height: 480 }, ['nowhere']])
  assert.deepEqual(
    crops.map(({ platform }) => platform),
    ['instagram-square', 'custom'],
  )
  for (const { crop } of crops) assert.ok(crop.x + crop.width <= 640 && crop.y + crop.height <= 480, JSON.stringify(crop))
})

/** What is asked, and the error's name with the field that it is about. */
const refusals: readonly (readonly [name: string, call: () => Promise<unknown>, code: string, field?: string])[] = [
  ['no picture', () => mill.convert(Buffer.from('no picture')), 'invalid_image_type'],
  ['an empty file', () => mill.convert(Buffer.alloc(0)), 'invalid_image'],
  ['a picture that is cut off', () => mill.convert(jpeg.subarray(0, 200)), 'invalid_image'],
  ['an unknown option', () => mill.convert(jpeg, { wdith: 10 } as object), 'invalid_params', 'wdith'],
  ['a format that is none', () => mill.convert(jpeg, { format: 'jpg2' as 'jpeg' }), 'invalid_params', 'format'],
  ['two qualities', () => mill.convert(jpeg, { quality: 50, visualQuality: 70 }), 'invalid_params', 'visualQuality'],
  ['bytes that no quality reaches', () => mill.convert(jpeg, { format: 'jpeg', maxBytes: 10 }), 'cannot_fit'],
  [
    'a file that is not there',
    () => mill.render(jpeg, { steps: [{ watermark: { image: 'logo' } }] }),
    'invalid_params',
    'steps.0.watermark.image',
  ],
  ['a field that is none', () => mill.info(jpeg, { fields: ['wdith' as 'width'] }), 'invalid_params', 'fields.0'],
]
for (const [name, call, code, field] of refusals)
  test(`${name} is refused: ${code}`, async () => {
    const error = await call().catch((reason: unknown) => reason)
    assert.ok(error instanceof ImageError, String(error))
    assert.equal(error.code, code)
    assert.equal(error.issues?.[0]?.path.join('.'), field)
  })

test('a path without a file, and what is no source, are errors of the caller', async () => {
  await assert.rejects(mill.convert('/there/is/no/such.jpg'), { code: 'ENOENT' })
  await assert.rejects(mill.convert(5 as unknown as string), TypeError)
})

test('a signal ends a call that waits, and one that is at work; others go on', async () => {
  const reason = new Error('no longer wanted')
  await assert.rejects(mill.convert(jpeg, { signal: AbortSignal.abort(reason) }), reason)
  const large = await photo(4_000, 3_000).png().toBuffer()
  const abort = new AbortController()
  const calls = Array.from({ length: 4 }, () => mill.convert(large, { format: 'avif', signal: abort.signal }))
  const other = mill.convert(jpeg, { format: 'webp' })
  abort.abort(reason)
  for (const call of calls) await assert.rejects(call, reason)
  assert.equal((await other).format, 'webp')
})

test('a call that is aborted at work rejects with the reason, not with a fault of the picture', async () => {
  const large = await photo(800, 625).resize(8_000, 6_250).jpeg({ quality: 40 }).toBuffer()
  const reason = new Error('the client has gone')
  const abort = new AbortController()
  const call = mill.convert(large, { format: 'avif', quality: 100, signal: abort.signal })
  const other = mill.convert(jpeg, { format: 'webp' })
  // The other was begun after it.
  await other
  abort.abort(reason)
  await assert.rejects(call, reason)
})

test('streams that never end take no turn: others go on, their signal ends them, and so does close', async () => {
  const small = await openPixelmill({ renderers: 1 })
  const endless = () => new ReadableStream<Uint8Array>({})
  const abort = new AbortController()
  const reason = new Error('enough')
  const endlessCalls = Array.from({ length: 5 }, () => small.convert(endless(), { signal: abort.signal }))
  const left = small.convert(endless())
  assert.equal((await small.convert(jpeg, { format: 'webp' })).format, 'webp')
  abort.abort(reason)
  for (const call of endlessCalls) await assert.rejects(call, reason)
  await small.close()
  await assert.rejects(left, EngineClosed)
})

test('several engines work beside each other; closing one waits for its calls, and refuses later ones', async () => {
  const second = await openPixelmill({ renderers: 1 })
  const call = second.convert(jpeg, { format: 'png' })
  const closing = second.close()
  assert.equal((await call).format, 'png')
  await closing
  await assert.rejects(second.convert(jpeg), EngineClosed)
  assert.equal((await mill.convert(jpeg, { format: 'png' })).format, 'png')
})

test('an option that is not valid opens nothing', async () => {
  await assert.rejects(openPixelmill({ renderers: 0 }), StartError)
  await assert.rejects(openPixelmill({ rendrers: 2 } as object), StartError)
})

test('a renderer that a picture ends fails that call alone', async () => {
  const small = await openPixelmill({ renderers: 1, timeoutSeconds: 1 })
  const large = await photo(800, 625).resize(8_000, 6_250).jpeg({ quality: 40 }).toBuffer()
  const failure = await small.convert(large, { format: 'avif', quality: 100 }).catch((reason: unknown) => reason)
  assert.ok(failure instanceof ImageError && failure.code === 'conversion_failed', String(failure))
  assert.equal((await small.convert(jpeg, { format: 'webp' })).format, 'webp')
  await small.close()
})

test('the process prints nothing, gets no handlers, and ends when the engine is closed', { timeout: 60_000 }, async (t) => {
  const program = join(await tempFolder(t), 'program.ts')
  const library = pathToFileURL(join(import.meta.dirname, '../../src/library/pixelmill.ts')).href
  await writeFile(
    program,
    `import { openPixelmill } from '${library}'
const events = ['SIGINT', 'SIGTERM', 'exit', 'uncaughtException', 'unhandledRejection', 'warning']
const before = events.map((event) => process.listenerCount(event))
const mill = await openPixelmill()
await mill.convert(Buffer.from('${jpeg.toString('base64')}', 'base64'), { width: 10 })
if (String(events.map((event) => process.listenerCount(event))) !== String(before)) process.exitCode = 3
await mill.close()
`,
  )
  const child = spawn(process.execPath, [program], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.deepEqual([Buffer.concat(output).toString(), code], ['', 0])
})

test('its declarations are those of the schemas that check', async () => {
  const types = await readFile(join(import.meta.dirname, '../../src/library/types.ts'), 'utf8')
  assert.doesNotMatch(types, /^import|\bunknown\b|\bany\b/m)
})
