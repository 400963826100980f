import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { corners } from '@pixelmill/codecs/test/support/corners'
import { caller } from '../../../test/support/call.ts'
import { fakeHeifEnc } from '../../../test/support/fake-heif-enc.ts'
import { run, startServer } from '../../../test/support/server.ts'

/** Servers that start with a heif-enc that does not work. */

const image = (await writeHeic(corners())).bytes
const good = (await writeHeic(corners(32, 24))).bytes

for (const behaviour of ['fails', 'hangs'] as const) {
  test(`a heif-enc that ${behaviour} at the start leaves encoding to elheif`, async () => {
    await using broken = await fakeHeifEnc(good)
    await broken.behave(behaviour)
    await using server = await startServer({ ...broken.settings, LOG_LEVEL: 'debug', RENDERERS: '1' })
    assert.match(server.output(), /"heicWriter":"elheif"/)
    const { headers } = await caller(server).post('resize', { width: 32, height: 24 }, { image })
    assert.equal(headers.get('content-type'), 'image/heic')
  })
}

test('a heif-enc that is asked for and does not work stops the start, with one line in the log', async () => {
  await using broken = await fakeHeifEnc(good)
  await broken.behave('fails')
  const { exited, output } = run({ ...broken.settings, HEIC_WRITER: 'heif-enc', DATA_DIR: `${broken.settings.TMPDIR}/data` })
  assert.notEqual((await exited).code, 0)
  assert.match(output(), /HEIC_WRITER is heif-enc, but that program is not on the PATH or cannot write HEVC\./)
})
