import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { runTask } from '@pixelmill/engine/test/support/run-task'
import sharp from 'sharp'
import { photograph } from '../support/external-remover.ts'

const most = { mostPixels: 10_000_000, mostSide: 10_000, mostBytes: 20_000_000 }
const copy = (file: Buffer, changes: Partial<typeof most> & { format?: 'png' | 'webp' } = {}) =>
  runTask('cutOutCopy', { format: 'png', ...most, ...changes }, file)

test('a photograph is sent upright, as JPEG in sRGB, without metadata', async () => {
  const place = { IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  const file = await sharp(await photograph())
    .withExif(place)
    .withMetadata({ orientation: 6, icc: 'p3' })
    .jpeg()
    .toBuffer()
  const { report, files } = await copy(file)
  assert.deepEqual(report, { width: 180, height: 240, alreadyCutOut: false, type: 'image/jpeg' })
  const { format, width, height, space, depth, exif, icc, orientation, chromaSubsampling } = await sharp(files[0]).metadata()
  assert.deepEqual([format, width, height, space, depth, chromaSubsampling], ['jpeg', 180, 240, 'srgb', 'uchar', '4:4:4'])
  assert.deepEqual([exif, icc, orientation], [undefined, undefined, undefined])
})

const inputs: Readonly<Record<string, (file: Buffer) => Promise<Buffer>>> = {
  CMYK: (file) => sharp(file).toColourspace('cmyk').jpeg().toBuffer(),
  grey: (file) => sharp(file).toColourspace('b-w').jpeg().toBuffer(),
  '16 bits': (file) => sharp(file).toColourspace('rgb16').png().toBuffer(),
  GIF: (file) => sharp(file).gif().toBuffer(),
  'a little transparent': (file) => sharp(file).ensureAlpha(0.99).png().toBuffer(),
}
for (const [name, write] of Object.entries(inputs))
  test(`of ${name} the copy has three channels of 8 bits`, async () => {
    const { report, files } = await copy(await write(await photograph()))
    const { width, height, channels, depth, space } = await sharp(files[0]).metadata()
    assert.deepEqual([width, height, channels, depth, space], [240, 180, 3, 'uchar', 'srgb'])
    assert.equal(report.type, ['CMYK', 'grey'].includes(name) ? 'image/jpeg' : 'image/png')
  })

const smaller: readonly (readonly [changes: Partial<typeof most>, width: number, height: number])[] = [
  [{ mostPixels: 240 * 180 }, 240, 180],
  [{ mostPixels: 120 * 90 }, 120, 90],
  [{ mostPixels: 120 * 90 - 1 }, 119, 89],
  [{ mostSide: 60 }, 60, 45],
  [{ mostPixels: 1 }, 1, 1],
]
for (const [changes, width, height] of smaller)
  test(`a service with ${JSON.stringify(changes)} gets ${width} × ${height}`, async () => {
    const { report, files } = await copy(await photograph(), changes)
    const sentMetadata = await sharp(files[0]).metadata()
    assert.deepEqual([sentMetadata.width, sentMetadata.height, report.width, report.height], [width, height, 240, 180])
  })

test('a drawing is sent exactly, unless that is too many bytes: then as a photograph that fits', async () => {
  // Noise, of which PNG saves nothing.
  const data = randomBytes(300 * 200 * 3)
  const raw = { width: 300, height: 200, channels: 3 } as const
  const file = await sharp(data, { raw }).png().toBuffer()
  const exact = await copy(file)
  assert.equal(exact.report.type, 'image/png')
  assert.deepEqual(await sharp(exact.files[0]).raw().toBuffer(), data)
  const sizes: number[] = []
  for (const mostBytes of [(exact.files[0]?.length ?? 0) - 1, 1]) {
    const { report, files } = await copy(file, { mostBytes })
    assert.equal(report.type, 'image/jpeg')
    sizes.push(files[0]?.length ?? 0)
  }
  assert.ok((sizes[0] as number) > (sizes[1] as number), sizes.join(' '))
})

test('of an animation the first frame is sent', async () => {
  const first = await photograph()
  const second = await sharp({ create: { width: 240, height: 180, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const { files } = await copy(
    await sharp([first, second], { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer(),
  )
  const { pages = 1, width, height } = await sharp(files[0]).metadata()
  const { dominant } = await sharp(files[0]).stats()
  assert.deepEqual([pages, width, height], [1, 240, 180])
  assert.ok(dominant.r > 100, JSON.stringify(dominant))
})

test('a picture that is already transparent has no copy', async () => {
  const { report, files } = await copy(
    await sharp(await photograph())
      .ensureAlpha(0.5)
      .png()
      .toBuffer(),
  )
  assert.deepEqual([report.alreadyCutOut, files], [true, []])
})
