import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { promisingFiles, promisingPng, randomFrom } from '@pixelmill/codecs/test/support/damage'
import { animatedGif, animatedWebp, everyFormat, solid } from '@pixelmill/codecs/test/support/pictures'
import { chargedCalls, openServerDatabase } from '../../../test/support/accounts.ts'
import { newFilesOf } from '../../../test/support/batch-call.ts'
import { type Answer, caller } from '../../../test/support/call.ts'
import { quickest } from '../../../test/support/quickest.ts'
import { renderersOf } from '../../../test/support/server.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'

let server: SharedServer
let database: Database
let newFiles: () => Promise<readonly string[]>
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  newFiles = await newFilesOf(server.dir)
  post = caller(server).post
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const small = await solid(20, 20, '#123456').png().toBuffer()
const REFUSALS: readonly (string | undefined)[] = ['invalid_image', 'invalid_image_type', 'image_too_large']

/** An image, or a refusal that says whose fault it is. */
function assertAnswered({ status, error, bytes }: Answer, shownText: string): void {
  if (status === 200) assert.ok(bytes.length > 0, shownText)
  else assert.ok(status === 400 && REFUSALS.includes(error?.statusMessage), `${shownText}: ${status} ${error?.statusMessage}`)
}

for (const [format, bytes] of Object.entries(await promisingFiles())) {
  test(`a tiny ${format} whose header promises hundreds of megapixels is refused before it is decoded, on every endpoint`, async () => {
    for (const [operation, fields] of [
      ['convert', {}],
      ['resize', { width: 5, height: 5 }],
      ['crop', { x: 0, y: 0, width: 1, height: 1 }],
      ['optimize', {}],
    ] as const) {
      const took = await quickest(async () => {
        const { status, error } = await post(operation, fields, { image: bytes })
        assert.equal(status, 400, operation)
        // A decoder may see the lie before we see the size.
        const expected = ['webp', 'avif', 'tiff'].includes(format) ? ['image_too_large', 'invalid_image'] : ['image_too_large']
        assert.ok(expected.includes(error?.statusMessage ?? 'none'), `${operation}: ${error?.statusMessage}`)
      })
      assert.ok(took < 1_000, `${operation} took ${Math.round(took)} ms`)
    }
    const { error } = await post('watermark', {}, { image: small, watermark: bytes })
    assert.ok(['image_too_large', 'invalid_image'].includes(error?.statusMessage ?? 'none'), String(error?.statusMessage))
    assert.match(error?.message ?? '', /watermark/)
  })
}

const strips = [
  ['webp', 16_383, true],
  ['webp', 16_384, false],
  ['avif', 16_384, true],
  ['avif', 16_385, false],
  ['jpeg', 65_500, true],
  ['jpeg', 65_501, false],
  ['png', 65_535, true],
] as const
for (const [format, side, fits] of strips) {
  test(`a strip of ${side} pixels ${fits ? 'is written as' : 'is too long for'} ${format}`, async () => {
    const image = await solid(side, 1, '#123456').png().toBuffer()
    const { status, error } = await post('convert', { format }, { image })
    assert.deepEqual([status, error?.statusMessage], fits ? [200, undefined] : [400, 'image_too_large'])
    if (!fits) assert.match(error?.message ?? '', new RegExp(`${format} holds at most ${side - 1} pixels a side`, 'i'))
  })
}

const HUGE = 64 * 1024 * 1024
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), out.length - 4)
  return out
}
const withChunk = (type: string, data: Buffer) => Buffer.concat([small.subarray(0, 33), chunk(type, data), small.subarray(33)])
const packedBuffer = deflateSync(Buffer.alloc(HUGE))
const bombs = {
  'a packed text of 64 MiB': withChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), packedBuffer])),
  'a packed colour profile of 64 MiB': withChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), packedBuffer])),
  'a million text chunks': Buffer.concat([
    small.subarray(0, 33),
    ...Array(500_000).fill(chunk('tEXt', Buffer.from('a\0b'))),
    small.subarray(33),
  ]),
  'no pixels at all': await promisingPng(0, 0),
  'only its signature': small.subarray(0, 8),
  'only its header': small.subarray(0, 33),
}
for (const [name, image] of Object.entries(bombs)) {
  test(`a PNG with ${name} is answered in time`, async () => {
    const began = performance.now()
    for (const operation of ['convert', 'optimize']) assertAnswered(await post(operation, {}, { image }), operation)
    assert.ok(performance.now() - began < 10_000)
  })
}

test('an AVIF beyond the limits of the decoder is an error of the caller, and no renderer is replaced', async () => {
  const image = await solid(16, 16, '#123456').avif({ effort: 0 }).toBuffer()
  // The number of items in `iinf`, behind version and flags.
  image.writeUInt16BE(0xffff, image.indexOf('iinf') + 8)
  const renderers = await renderersOf(server.pid)
  for (let round = 0; round < 4; round++) assertAnswered(await post('convert', {}, { image }), 'convert')
  assert.deepEqual(await renderersOf(server.pid), renderers)
})

const files = { ...(await everyFormat()), 'moving gif': await animatedGif(30, 20), 'moving webp': await animatedWebp(30, 20) }
for (const [format, bytes] of Object.entries(files)) {
  test(`damaged ${format} files are answered with an image or a refusal, on every endpoint, and the server goes on`, async () => {
    const random = randomFrom(bytes.length)
    const operations = [
      ['convert', { format: 'webp', width: 16 }],
      ['resize', { width: 16, height: 16 }],
      ['crop', { x: 0, y: 0, width: 9, height: 9 }],
      ['optimize', {}],
    ] as const
    const chargedCount = await chargedCalls(database)
    let images = 0
    for (let round = 0; round < 24; round++) {
      const damagedBytes = Buffer.from(bytes.subarray(0, round % 4 === 3 ? random(bytes.length) : bytes.length))
      const changes = round % 4 === 3 ? 0 : 1 + random(4)
      for (let change = 0; change < changes; change++)
        damagedBytes[random(round % 2 ? damagedBytes.length : 200) % damagedBytes.length] = random(256)
      const [operation, fields] = operations[round % operations.length] ?? operations[0]
      if (damagedBytes.length === 0) continue
      const answer = await post(operation, fields, { image: damagedBytes })
      if (answer.status === 200) images++
      // A byte in the header may well make a region that no longer fits.
      if (operation !== 'crop' || answer.error?.statusMessage !== 'invalid_params')
        assertAnswered(answer, `${operation}, round ${round}`)
    }
    assert.equal((await chargedCalls(database)) - chargedCount, images)
    assert.equal((await post('convert', {}, { image: small })).status, 200)
  })
}

test('no file of these requests is left in the data folder', async () => {
  const own = ['ai-key-secret', 'answers', 'blobs', 'postgres', 'run']
  const others = (await readdir(server.dir)).filter((name) => !own.includes(name))
  assert.deepEqual(others, [])
  assert.deepEqual(await newFiles(), [])
})
