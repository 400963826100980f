import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { codecs } from '../src/index.ts'
import { readHeader } from '../src/pixels/header.ts'
import { openImage } from '../src/pixels/open.ts'

const SIZE = { width: 480, height: 320 } as const
/** A photograph: a painted picture has no grain. */
const picture = await sharp(join(import.meta.dirname, '../../../examples/photo.jpg'))
  .resize({ ...SIZE, fit: 'cover' })
  .png()
  .toBuffer()
const megapixels = (SIZE.width * SIZE.height) / 1e6

/** Formats whose encoder can be told to take more or less time, and what it does with less. */
const formats = Object.values(codecs).filter(({ cost }) => cost.fast !== undefined || cost.small !== undefined)

for (const codec of formats) {
  const encode = (effort?: 'fast' | 'balanced' | 'small') =>
    codec.encode(sharp(picture), { quality: undefined, effort, megapixels, animation: undefined, photograph: true })

  test(`${codec.title}: small takes fewer bytes than balanced, which is the default, and fast takes more or as many`, async () => {
    const [usual, fast, middle, small] = await Promise.all([encode(), encode('fast'), encode('balanced'), encode('small')])
    assert.deepEqual(usual.bytes, middle.bytes)
    assert.ok(small.bytes.length < middle.bytes.length, `${small.bytes.length} of ${middle.bytes.length}`)
    assert.ok(fast.bytes.length >= middle.bytes.length, `${fast.bytes.length} of ${middle.bytes.length}`)
  })

  test(`${codec.title}: each effort shows the same picture`, async () => {
    const reference = await meanOf((await encode()).bytes)
    for (const effort of ['fast', 'small'] as const) {
      const means = await meanOf((await encode(effort)).bytes)
      for (const [channel, mean] of means.entries())
        assert.ok(Math.abs(mean - (reference[channel] ?? 0)) < 1, `${effort} ${mean}`)
    }
  })
}

test('AVIF at fast keeps transparency', async () => {
  const clear = await sharp({ create: { ...SIZE, channels: 4, background: '#40a06080' } })
    .png()
    .toBuffer()
  const settings = { quality: 75, effort: 'fast', megapixels, alpha: true, animation: undefined } as const
  const { bytes } = await codecs.avif.encode(sharp(clear), settings)
  const [, , , alpha = 0] = await meanOf(bytes)
  assert.ok(Math.abs(alpha - 0x80) <= 1, String(alpha))
})

/** Mean of each channel in 8 bits, as the service opens the file. */
async function meanOf(file: Buffer): Promise<readonly number[]> {
  const image = await openImage(file, await readHeader(file), codecs.png)
  const { channels } = await sharp(await image.pixels.toColourspace('srgb').png().toBuffer()).stats()
  return channels.map(({ mean }) => mean)
}
