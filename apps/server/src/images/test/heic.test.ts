import { after, before, describe, test } from 'node:test'
import { caller } from '../../../test/support/call.ts'
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
  sentInstead,
} from '../../../test/support/heic-call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

/** With the encoder that this machine has, and without one; heic.slow.test.ts has every encoder with every operation. */

const every = Object.keys(edits) as Edit[]

for (const [writer, settings, triedItem] of [
  ['auto', {}, { opaque: ['resize', 'watermark', 'optimize'], translucent: ['resize'] }],
  ['none', { HEIC_WRITER: 'none', RENDERERS: '1' }, { opaque: every, translucent: every }],
] as const) {
  describe(`HEIC_WRITER=${writer}`, () => {
    let server: SharedServer
    let post: ReturnType<typeof caller>['post']
    before(async () => {
      server = await shareServer(settings)
      post = caller(server).post
    })
    after(() => server[Symbol.asyncDispose]())

    for (const input of ['opaque', 'translucent'] satisfies Input[]) {
      for (const operation of triedItem[input])
        test(`${operation} of a HEIC image (${input}) answers ${sentInstead(writer, input).name}`, () =>
          assertEdited(post, writer, input, operation))
    }
    test('optimize of a photograph is never larger', () => assertNeverLarger(post, [1, 80, 100]))

    // What does not depend on the encoder.
    if (writer !== 'none') return
    test('convert writes every target format, with the orientation applied', () => assertConverted(post))
    test('crop counts pixels of the image as it is displayed', () => assertCroppedAsDisplayed(post))
    test('a HEIC image can be the watermark', () => assertWatermarkRead(post))
    test('a damaged file is invalid_image, and too many pixels are image_too_large', () => assertRefused(post))
  })
}
