import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { recognise } from '@pixelmill/codecs'
import { stripJpeg } from '@pixelmill/codecs/jpeg-segments'
import { jxlReader } from '@pixelmill/codecs/jxl/reader'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { findProgram } from '@pixelmill/engine/rendering/external-program'
import sharp from 'sharp'
import { caller } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

/** JPEG to JPEG XL without loss, where libjxl's programs are installed. */

const skip =
  findProgram('cjxl', process.env.PATH ?? '') && findProgram('djxl', process.env.PATH ?? '')
    ? false
    : 'cjxl and djxl are not on the PATH'

const folder = mkdtempSync(join(tmpdir(), 'packed-jpeg-'))
const picture = photo(320, 240)
const jpeg = await picture
  .clone()
  .jpeg({ quality: 85 })
  .withExif({ IFD0: { Artist: 'Ana Sol', Make: 'Camera & Co' } })
  .toBuffer()
const lying = await picture.clone().jpeg({ quality: 85 }).withMetadata({ orientation: 6 }).toBuffer()

let server: SharedServer
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await shareServer()
  post = caller(server).post
})
after(async () => {
  rmSync(folder, { recursive: true })
  await server[Symbol.asyncDispose]()
})

/** The JPEG that djxl restores. */
function restoredJpeg(jxl: Buffer): Buffer {
  const input = join(folder, 'in.jxl')
  const output = join(folder, 'out.jpg')
  writeFileSync(input, jxl)
  const { status, stderr } = spawnSync('djxl', [input, output], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return readFileSync(output)
}

async function packedAnswer(image: Buffer, fields: Record<string, string | number> = {}) {
  const answer = await post('convert', { format: 'jxl', ...fields }, { image })
  assert.equal(answer.status, 200, answer.error?.message ?? '')
  assert.equal(recognise(answer.bytes)?.name, 'jxl')
  return { bytes: answer.bytes, reversible: answer.headers.get('x-reversible'), headers: answer.headers }
}

describe('a JPEG whose pixels nothing changes', { skip }, () => {
  test('is packed: smaller, and restored byte for byte without its metadata', async () => {
    const { bytes, reversible, headers } = await packedAnswer(jpeg)
    assert.equal(reversible, 'jpeg')
    assert.ok(bytes.length < jpeg.length * 0.95, `${jpeg.length} → ${bytes.length}`)
    assert.deepEqual(restoredJpeg(bytes), stripJpeg(jpeg))
    assert.equal(bytes.includes('Ana Sol'), false)
    assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], ['320', '240'])
  })

  test('keeps its orientation', async () => {
    const { bytes, reversible, headers } = await packedAnswer(lying)
    assert.equal(reversible, 'jpeg')
    assert.deepEqual(restoredJpeg(bytes), stripJpeg(lying))
    assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], ['240', '320'])
    const { width, height } = await jxlReader.header(bytes)
    assert.deepEqual([width, height], [240, 320])
  })

  test('keeps the metadata that is asked for', async () => {
    const { bytes, reversible } = await packedAnswer(jpeg, { metadata: 'copyright' })
    assert.equal(reversible, 'jpeg')
    const { exif } = await sharp(restoredJpeg(bytes)).metadata()
    assert.match(exif?.toString('latin1') ?? '', /Ana Sol/)
    assert.doesNotMatch(exif?.toString('latin1') ?? '', /Camera/)
  })
})

describe('its pixels are encoded', { skip }, () => {
  for (const [why, fields] of [
    ['with a quality', { quality: 75 }],
    ['with a number of bytes', { maxBytes: 60_000 }],
    ['in another size', { width: 100 }],
    ['in shades of grey', { grayscale: 'true' }],
  ] as const)
    test(why, async () => {
      assert.equal((await packedAnswer(jpeg, fields)).reversible, null)
    })

  test('in another colour space, unless that is kept', async () => {
    const wide = await picture.clone().jpeg().withIccProfile('p3').toBuffer()
    assert.equal((await packedAnswer(wide)).reversible, null)
    assert.equal((await packedAnswer(wide, { icc: 'keep' })).reversible, 'jpeg')
  })

  test('where cjxl refuses the file', async () => {
    // A divisor of 0, which libjpeg takes and libjxl does not.
    const odd = Buffer.from(jpeg)
    odd[odd.indexOf(Buffer.from([0xff, 0xdb])) + 5 + 63] = 0
    const input = join(folder, 'odd.jpg')
    const output = join(folder, 'odd.jxl')
    writeFileSync(input, odd)
    assert.notEqual(spawnSync('cjxl', ['--lossless_jpeg=1', input, output]).status, 0)
    assert.equal((await packedAnswer(odd)).reversible, null)
  })

  test('a damaged JPEG is refused', async () => {
    const answer = await post('convert', { format: 'jxl' }, { image: jpeg.subarray(0, jpeg.length >> 1) })
    assert.equal(answer.error?.statusMessage, 'invalid_image')
  })
})
