import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import type { Intensity, Mode } from '@pixelmill/vision/enhance/choose'
import sharp from 'sharp'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())
const enhance = (file: Buffer, mode: Mode, { intensity = 2 }: { intensity?: Intensity } = {}) =>
  pool.run('enhance', { mode, intensity, preview: true }, [[file]], new AbortController().signal)

const noisy = () =>
  sharp({
    create: { width: 304, height: 200, channels: 3, background: '#789', noise: { type: 'gaussian', mean: 120, sigma: 12 } },
  })

test('more than 24 megapixels are cleaned, and their noise is measured', { timeout: 300_000 }, async () => {
  const grain = await noisy().png().toBuffer()
  const file = await solid(6_080, 4_200, '#789')
    .composite([{ input: grain, tile: true }])
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer()
  const { report, files } = await enhance(file, 'denoise')
  assert.deepEqual([report.enhanced.width, report.enhanced.height, report.enhanced.format], [6_080, 4_200, 'png'])
  assert.ok(Math.abs(report.metrics.noiseBefore - 12) < 2, `${report.metrics.noiseBefore}`)
  assert.ok(report.metrics.noiseAfter < 2, `${report.metrics.noiseAfter}`)
  for (const left of [0, 3_000, 5_900]) {
    const { channels } = await sharp(files[0]).extract({ left, top: 4_000, width: 180, height: 200 }).stats()
    assert.ok(channels.every(({ stdev }) => stdev < 3))
  }
})

test('a result of more than 40 megapixels is upscaled', { timeout: 300_000 }, async () => {
  const file = await solid(4_000, 2_600, '#345').jpeg().toBuffer()
  const { report, files } = await enhance(file, 'upscale', { intensity: 1 })
  assert.deepEqual([report.enhanced.width, report.enhanced.height], [8_000, 5_200])
  assert.ok(near(await pixel(files[0] as Buffer, 7_990, 5_190), [0x33, 0x44, 0x55, 255]))
})
