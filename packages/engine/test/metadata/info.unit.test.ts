import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { plainApng } from '@pixelmill/codecs/test/support/apng'
import { everyBmp } from '@pixelmill/codecs/test/support/bmp'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { baseline, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import { avifSequence, codedAv1 } from '../support/avif.ts'
import { chunk, numbers } from '../support/png.ts'
import { runTask } from '../support/run-task.ts'

/** What `info` says of depth and movement, also where a file is decoded with more bits or fewer frames. */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG of 8 × 1 pixels: 0 grey, 3 a palette. */
const png = (bits: number, type: 0 | 3): Buffer =>
  Buffer.concat([
    SIGNATURE,
    chunk('IHDR', numbers(8, 1), Buffer.from([bits, type, 0, 0, 0])),
    ...(type === 3 ? [chunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255]))] : []),
    chunk('IDAT', deflateSync(Buffer.alloc(1 + bits))),
    chunk('IEND'),
  ])

const factsOf = async (file: Buffer) => {
  const { report } = await runTask('info', { fields: ['frames', 'durationMs', 'bitDepth'] }, file)
  return report
}

for (const bits of [1, 2, 4, 8]) {
  test(`${bits} bits a channel of PNG, TIFF and BMP`, async () => {
    const bmp = { 1: 'one', 2: 'two', 4: 'four', 8: 'eight' }[bits] ?? assert.fail()
    const files = [
      png(bits, 0),
      png(bits, 3),
      tiffOf(baseline(8, 1, 1, bits), [Buffer.alloc(bits)]),
      everyBmp()[bmp] ?? assert.fail(),
    ]
    for (const file of files) assert.equal((await factsOf(file)).bitDepth, bits, file.toString('latin1', 0, 4))
  })
}

test('more than 8 bits', async () => {
  assert.equal((await factsOf(await solid(4, 4, '#123456').toColourspace('rgb16').png().toBuffer())).bitDepth, 16)
  assert.equal((await factsOf(await solid(4, 4, '#123456').avif({ bitdepth: 10 }).toBuffer())).bitDepth, 10)
})

test('the frames of an APNG', async () => {
  const delays = [
    [3, 10],
    [1, 4],
    [50, 0],
  ] as const
  const frames = delays.map((delay) => ({ rows: [0, 0], delay }))
  const screen = { width: 4, height: 4, bits: 16, colourType: 0 }
  assert.deepEqual(await factsOf(plainApng({ ...screen, frames })), { frames: 3, durationMs: 1_050, bitDepth: 16 })
  const one = plainApng({ ...screen, frames: frames.slice(0, 1) })
  assert.deepEqual(await factsOf(one), { frames: 1, durationMs: null, bitDepth: 16 })
})

test('the frames of an AVIF sequence', async () => {
  const frame = await codedAv1(photo(32, 32))
  const { frames, durationMs } = await factsOf(avifSequence([{ handler: 'pict', frames: [frame, frame, frame] }]))
  assert.equal(frames, 3)
  assert.equal(typeof durationMs, 'number')
})

test('SensingMethod and the like are read', async () => {
  const file = await solid(8, 8, '#fff')
    .jpeg()
    .withExif({ IFD2: { SensingMethod: '2', ExposureMode: '1', LensSpecification: '24/1 70/1 4/1 4/1' } })
    .toBuffer()
  const { report } = await runTask('info', { fields: ['exif'] }, file)
  const { SensingMethod, ExposureMode, LensSpecification } = report.exif ?? {}
  assert.deepEqual(
    { SensingMethod, ExposureMode, LensSpecification },
    { SensingMethod: 2, ExposureMode: 1, LensSpecification: [24, 70, 4, 4] },
  )
})
