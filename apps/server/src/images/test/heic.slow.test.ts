import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { nativeHeic, withoutHeifEnc } from '@pixelmill/codecs/test/support/heif-enc'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { caller } from '../../../test/support/call.ts'
import {
  assertEdited,
  assertNeverLarger,
  type Edit,
  edits,
  type Input,
  inputs,
  sentInstead,
} from '../../../test/support/heic-call.ts'
import { type Server, startServer } from '../../../test/support/server.ts'

/** Both encoders with every operation and quality; heic.test.ts has what does not depend on the encoder. */

for (const [writer, skip] of [
  ['heif-enc', withoutHeifEnc],
  ['elheif', false],
] as const) {
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
    test('optimize of a photograph is never larger, at any quality', () => assertNeverLarger(post, [1, 50, 75, 80, 81, 95, 100]))

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
