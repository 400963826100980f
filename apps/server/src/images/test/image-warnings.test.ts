import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainApng } from '@pixelmill/codecs/test/support/apng'
import { animatedGif, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { chunk, numbers, withChunk } from '@pixelmill/engine/test/support/png'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const png = await photo().png().toBuffer()
const pages = await Promise.all(['#ff0000', '#0000ff'].map((colour) => solid(60, 40, colour).png().toBuffer()))
const frames = [{ rows: [255, 0, 0, 255] }, { rows: [0, 0, 255, 255] }]
const files = {
  gif: await animatedGif(60, 40),
  apng: plainApng({ width: 60, height: 40, frames }),
  'apng without its last frame': plainApng({ width: 60, height: 40, frames, count: 3 }),
  'apng without frames': withChunk(png, chunk('acTL', numbers(2, 0))),
  png,
  'tiff of two pages': await sharp(pages, { join: { animated: true } })
    .tiff({ compression: 'deflate' })
    .toBuffer(),
} as const

const calls = [
  ['gif', 'convert', { format: 'jpeg' }, 'first_frame_only'],
  ['gif', 'convert', { format: 'png' }, null],
  ['gif', 'convert', { format: 'webp' }, null],
  ['gif', 'optimize', {}, null],
  ['apng', 'convert', { format: 'jpeg' }, 'first_frame_only'],
  ['apng', 'crop', { x: 0, y: 0, width: 20, height: 20 }, null],
  ['apng without its last frame', 'convert', { format: 'webp' }, 'later_frames_damaged'],
  ['apng without frames', 'convert', { format: 'webp' }, 'later_frames_damaged'],
  ['apng', 'optimize', {}, null],
  ['png', 'convert', { format: 'webp' }, null],
  ['tiff of two pages', 'convert', { format: 'jpeg' }, 'first_page_only'],
  ['tiff of two pages', 'optimize', {}, null],
] as const

for (const [file, operation, fields, warnings] of calls) {
  test(`${operation} of ${file} ${JSON.stringify(fields)} warns of ${warnings ?? 'nothing'}`, async () => {
    const answer = await post(operation, fields, { image: files[file] })
    assert.equal(answer.status, 200, String(answer.error?.message))
    assert.equal(answer.headers.get('x-image-warnings'), warnings)
  })
}
