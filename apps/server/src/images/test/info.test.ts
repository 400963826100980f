import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import { animatedGif, DELAYS, everyFormat, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { infoFields } from '@pixelmill/engine/tasks/info'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { form, read } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { zipFile as zip } from '../../../test/support/zip.ts'
import type { Database } from '../../database/database.ts'

/** POST /api/v3/info. */

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

async function ask(image: Buffer, fields?: string) {
  const search = fields === undefined ? '' : `?fields=${encodeURIComponent(fields)}`
  const answer = await read(
    await fetch(`${server.url}/api/v3/info${search}`, {
      method: 'POST',
      body: form({}, { image }),
      headers: { authorization: `Bearer ${account.key}` },
    }),
  )
  return { ...answer, body: JSON.parse(answer.bytes.toString()) }
}

async function usedRemovals(): Promise<number> {
  const { rows } = await database.pool.query<{ month: number }>(
    'select coalesce(sum(used), 0)::int as month from usage_month where account_id = $1',
    [account.id],
  )
  return rows[0]?.month ?? 0
}

const photograph = await photo(240, 160)
  .jpeg()
  .withExif({ IFD0: { Artist: 'Ana Sol', Copyright: 'Ana Sol' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 30/1 0/1' } })
  .withIccProfile('p3')
  .toBuffer()

test('every field but the place is answered by default, and one call is charged', async () => {
  const before = await usedRemovals()
  const { status, body } = await ask(photograph)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), infoFields.filter((name) => name !== 'exif.gps').sort())
  const { format, mime, width, height, orientation, frames, durationMs, bitDepth, colorSpace, alpha, drawn } = body
  assert.deepEqual(
    { format, mime, width, height, orientation },
    { format: 'jpeg', mime: 'image/jpeg', width: 240, height: 160, orientation: 1 },
  )
  assert.deepEqual({ frames, durationMs, bitDepth, colorSpace }, { frames: 1, durationMs: null, bitDepth: 8, colorSpace: 'RGB' })
  assert.deepEqual({ alpha, drawn, icc: body.icc }, { alpha: false, drawn: false, icc: { name: 'sP3C' } })
  assert.equal(body.exif.Artist, 'Ana Sol')
  assert.equal(body.exif.gps, undefined)
  assert.doesNotMatch(JSON.stringify(body), /latitude/i)
  assert.equal(await usedRemovals(), before + 1)
})

test('only what is asked for is answered, the place included', async () => {
  assert.deepEqual((await ask(photograph, 'width, format')).body, { format: 'jpeg', width: 240 })
  const { body } = await ask(photograph, 'exif.gps')
  assert.equal(body.exif.gps.latitude, 47.5)
})

test('every format is described, an animation with its frames', async () => {
  for (const [name, bytes] of Object.entries(await everyFormat())) {
    const { body } = await ask(bytes, 'format,width,height,blurHash')
    assert.deepEqual([body.format, body.width, body.height], [name, 240, 160])
    assert.match(body.blurHash, /^.{28}$/)
  }
  const { body } = await ask(await animatedGif(), 'frames,durationMs,palette')
  assert.deepEqual([body.frames, body.durationMs, body.palette], [3, DELAYS.reduce((sum, ms) => sum + ms), ['#ff0000']])
})

test('unknown fields, no image and damaged images are refused, free of charge', async () => {
  const before = await usedRemovals()
  assert.deepEqual([(await ask(photograph, 'size')).status, (await ask(photograph, '')).status], [400, 400])
  assert.equal((await ask(Buffer.from('no image at all'))).error?.statusMessage, 'invalid_image_type')
  assert.equal((await ask(photograph.subarray(0, 60))).error?.statusMessage, 'invalid_image')
  assert.equal(await usedRemovals(), before)
})

test('the images of a ZIP are described one by one; those that cannot be read cost nothing', async () => {
  const before = await usedRemovals()
  const archive = zip([
    { name: 'a/red.png', data: await solid(30, 20, '#ff0000').png().toBuffer() },
    { name: 'broken.jpg', data: photograph.subarray(0, 60) },
    { name: 'notes.txt', data: Buffer.from('hello') },
    { name: 'b.jpg', data: photograph },
  ])
  const { status, body } = await ask(archive, 'format,dominantColor')
  assert.equal(status, 200)
  const [red, broken, other, ...more] = body.images
  assert.deepEqual([red, more], [{ path: 'a/red.png', info: { format: 'png', dominantColor: '#ff0000' } }, []])
  assert.deepEqual(
    [broken.path, broken.error.code, other.path, other.info.format],
    ['broken.jpg', 'invalid_image', 'b.jpg', 'jpeg'],
  )
  assert.equal(await usedRemovals(), before + 2)
})

test('a ZIP without readable images, or with too many, costs nothing', async () => {
  const before = await usedRemovals()
  assert.equal((await ask(zip([{ name: 'x.jpg', data: photograph.subarray(0, 60) }]))).error?.statusMessage, 'invalid_image')
  const data = await solid(1, 1, '#000000').png().toBuffer()
  const many = Array.from({ length: limits.info.images + 1 }, (_, index) => ({ name: `${index}.png`, data }))
  assert.equal((await ask(zip(many), 'width')).error?.statusMessage, 'archive_too_large')
  assert.equal(await usedRemovals(), before)
})
