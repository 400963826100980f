import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type HeicWriter, heicWriters } from '../../src/codecs/heic/writers.ts'
import { caller } from '../support/call.ts'
import {
  assertConverted,
  assertCroppedAsDisplayed,
  assertEdited,
  assertNeverLarger,
  assertRefused,
  assertWatermarkRead,
  type Edit,
  edits,
  type Input,
  inputs,
  sentInstead,
} from '../support/heic-call.ts'
import { nativeHeic, withoutHeifEnc } from '../support/heif-enc.ts'
import { photo } from '../support/pictures.ts'
import { type Server, startServer } from '../support/server.ts'

/** Every encoder, every operation, every quality. */

const skips: Readonly<Record<HeicWriter, string | false>> = { 'heif-enc': withoutHeifEnc, elheif: false, none: false }

for (const writer of heicWriters) {
  const skip = skips[writer]
  describe(`HEIC_WRITER=${writer}`, { skip }, () => {
    let server: Server
    let post: ReturnType<typeof caller>['post']
    before(async () => {
      server = await startServer({ HEIC_WRITER: writer, RENDERERS: '1' })
      post = caller(server).post
    })
    after(() => server[Symbol.asyncDispose]())

    for (const input of Object.keys(inputs) as Input[]) {
      for (const operation of Object.keys(edits) as Edit[])
        test(`${operation} of a HEIC image (${input}) answers ${sentInstead(writer, input).name}`, () =>
          assertEdited(post, writer, input, operation))
    }
    test('convert writes every target format, with the orientation applied', () => assertConverted(post))
    test('crop counts pixels of the image as it is displayed', () => assertCroppedAsDisplayed(post))
    test('optimize of a photograph is never larger, at any quality', () => assertNeverLarger(post, [1, 50, 75, 80, 81, 95, 100]))
    test('a HEIC image can be the watermark', () => assertWatermarkRead(post))
    test('a damaged file is invalid_image, and too many pixels are image_too_large', () => assertRefused(post))

    if (writer !== 'heif-enc') return
    test('the quality of optimize is that of the answer', async () => {
      const image = nativeHeic(await photo(480, 320).png().toBuffer(), '-q', '95')
      const sizes: number[] = []
      for (const quality of [20, 50, 75, 90]) {
        const { bytes, headers } = await post('optimize', { quality }, { image })
        assert.equal(headers.get('content-type'), 'image/heic')
        sizes.push(bytes.length)
      }
      assert.deepEqual(
        sizes.toSorted((a, b) => a - b),
        sizes,
      )
      assert.ok(new Set(sizes).size === 4 && (sizes[3] ?? 0) < image.length, sizes.join())
    })
  })
}
