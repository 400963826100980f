import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { libvips } from '@pixelmill/codecs/sharp'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { baseline, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import { bombs, jpegOfScans } from '../support/bombs.ts'
import { sharedServer } from '../support/shared-server.ts'

/** What a look at a header may cost; many times what it does. */
const CPU_MS = 50
const TRIES = 8

/** These are valid, and what they have too much of is never looked at. */
const harmless = new Set([
  'JPEG of markers in an APP segment',
  'PNG of one text of 15 GB',
  'PNG of a profile of 15 GB',
  'PNG of empty data',
  'TIFF of directories',
])

// As in a renderer.
before(() => void libvips().concurrency(1))

for (const [name, make] of Object.entries(bombs)) {
  test(`the header of a ${name} is ${harmless.has(name) ? 'read' : 'refused'} at once`, async () => {
    const bytes = make()
    let least = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < TRIES && least > CPU_MS; tries++) {
      const before = process.cpuUsage()
      const refusal = await readHeader(bytes).then(
        () => undefined,
        (error: { readonly code?: string }) => error.code,
      )
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / 1000)
      const answers: readonly (string | undefined)[] = harmless.has(name)
        ? [undefined]
        : ['invalid_image_type', 'invalid_image', 'image_too_large']
      assert.ok(answers.includes(refusal), refusal ?? 'it was not refused')
    }
    assert.ok(least <= CPU_MS, `${least} ms of CPU`)
  })
}

const { post } = sharedServer()
const scans = jpegOfScans(3_000)
const grey = (compression: number, jpeg: Buffer) => tiffOf({ ...baseline(1_400, 1_400, 1, 8), 259: [compression] }, [jpeg])

const calls: readonly (readonly [string, string, Readonly<Record<string, Buffer>>])[] = [
  ['a JPEG', 'convert', { image: scans }],
  ['a watermark', 'watermark', { image: await photo().png().toBuffer(), watermark: scans }],
  ['a TIFF of JPEG', 'convert', { image: grey(7, scans) }],
  ['a TIFF of old-style JPEG', 'convert', { image: grey(6, scans) }],
]
for (const [name, operation, files] of calls) {
  test(`${name} with 3,000 scans is refused with the reason`, async () => {
    const { status, error } = await post(operation, {}, files)
    assert.deepEqual([status, error?.statusMessage], [400, 'image_too_large'])
    assert.match(error?.message ?? '', /more than \d+ scans/)
  })
}

test('a progressive JPEG of as many scans as encoders write is decoded, in a TIFF too', async () => {
  for (const image of [jpegOfScans(13), grey(7, jpegOfScans(13))]) {
    const { status, error } = await post('convert', { format: 'png' }, { image })
    assert.equal(status, 200, String(error?.message))
  }
})
