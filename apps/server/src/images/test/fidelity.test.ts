import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, photo, pixel, solid, withRedCorner } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const RED = [255, 0, 0]

for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`EXIF orientation ${orientation} is applied before anything else, on every endpoint`, async () => {
    const upright = await withRedCorner()
    const image = await upright.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).withMetadata({ orientation }).toBuffer()
    const shownBytes = await sharp(image).autoOrient().png().toBuffer()
    const { width, height } = await sharp(shownBytes).metadata()
    // Where the red corner ended up, in the picture as displayed.
    const corners = [
      [5, 5],
      [width - 6, 5],
      [5, height - 6],
      [width - 6, height - 6],
    ] as const
    const foundFlags = await Promise.all(corners.map(async ([x, y]) => near(await pixel(shownBytes, x, y), RED, 60)))
    const [x, y] = corners[foundFlags.indexOf(true)] ?? [0, 0]
    for (const [operation, fields] of [
      ['convert', { format: 'png' }],
      ['optimize', {}],
      ['resize', { width, height, fit: 'fill' }],
    ] as const) {
      const answer = await post(operation, fields, { image })
      const seenBytes = await sharp(answer.bytes).autoOrient().png().toBuffer()
      assert.ok(near(await pixel(seenBytes, x, y), RED, 60), operation)
      assert.equal(answer.headers.get('x-image-width'), String(width), operation)
    }
    const croppedAnswer = await post('crop', { x: Math.max(0, x - 5), y: Math.max(0, y - 5), width: 8, height: 8 }, { image })
    assert.ok(near(await pixel(croppedAnswer.bytes, 4, 4), RED, 60), 'crop')
  })
}

test('no answer has EXIF or GPS data, also where optimize returns the pixels unchanged', async () => {
  const exif = { IFD0: { Copyright: 'An Author' }, IFD3: { GPSLatitudeRef: 'N' } }
  const image = await photo().jpeg({ quality: 30, mozjpeg: true }).withExif(exif).toBuffer()
  for (const [operation, fields] of [
    ['convert', { format: 'jpeg' }],
    ['resize', { width: 50, height: 50 }],
    ['optimize', { quality: 100 }],
  ] as const) {
    const { bytes } = await post(operation, fields, { image })
    assert.equal((await sharp(bytes).metadata()).exif, undefined, operation)
    assert.ok(!bytes.includes('An Author'), operation)
  }
})

test('optimize answers with unchanged pixels where the image cannot be smaller', async () => {
  const image = await photo().jpeg({ quality: 20, mozjpeg: true }).toBuffer()
  const answer = await post('optimize', { quality: 100 }, { image })
  assert.deepEqual(await sharp(answer.bytes).raw().toBuffer(), await sharp(image).raw().toBuffer())
  assert.ok(answer.bytes.length <= image.length)
  assert.ok(Number(answer.headers.get('x-saved-percent')) >= 0)
})

test('Display P3 becomes sRGB that looks the same', async () => {
  const image = await solid(20, 20, '#c86432').withIccProfile('p3').png().toBuffer()
  const { bytes } = await post('convert', { format: 'png' }, { image })
  assert.ok(near(await pixel(bytes, 5, 5), [200, 100, 50], 3))
  assert.equal((await sharp(bytes).metadata()).icc, undefined)
})

test('CMYK becomes sRGB, as a colour-managed viewer shows it', async () => {
  const image = await solid(20, 20, '#c86432').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
  assert.equal((await sharp(image).metadata()).space, 'cmyk')
  const shownNumbers = await pixel(await sharp(image).toColourspace('srgb').png().toBuffer(), 5, 5)
  for (const operation of ['convert', 'resize', 'optimize'] as const) {
    const { bytes, status } = await post(operation, operation === 'resize' ? { width: 20, height: 20 } : {}, { image })
    assert.equal(status, 200)
    assert.ok(near(await pixel(bytes, 5, 5), shownNumbers, 8), operation)
  }
})

for (const [format, write] of [
  ['png', (image: Sharp) => image.png()],
  ['tiff', (image: Sharp) => image.tiff({ compression: 'none' })],
] as const) {
  test(`16-bit ${format} keeps its depth where the format is kept, and its colour in other formats`, async () => {
    const raw = new Uint16Array(30 * 30 * 3).fill(20_000)
    const mark = await solid(4, 4, '#ff0000').png().toBuffer()
    const image = await write(sharp(raw, { raw: { width: 30, height: 30, channels: 3 } }).toColourspace('rgb16')).toBuffer()
    for (const [operation, fields] of [
      ['resize', { width: 15, height: 15 }],
      ['crop', { x: 1, y: 1, width: 5, height: 5 }],
      ['optimize', { quality: 100 }],
      ['watermark', { scale: 0.2 }],
    ] as const) {
      const { bytes } = await post(operation, fields, operation === 'watermark' ? { image, watermark: mark } : { image })
      assert.equal((await sharp(bytes).metadata()).depth, 'ushort', operation)
      const samples = await sharp(bytes).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()
      assert.equal(samples.readUInt16LE(0), 20_000, operation)
    }
    assert.ok(near(await pixel((await post('convert', { format: 'png' }, { image })).bytes, 3, 3), [78, 78, 78], 2))
  })
}

test('grey stays grey, in one channel where the format has it', async () => {
  const image = await photo(60, 40).grayscale().toColourspace('b-w').png().toBuffer()
  for (const operation of ['resize', 'optimize'] as const) {
    const { bytes } = await post(operation, operation === 'resize' ? { width: 30, height: 20 } : { quality: 100 }, { image })
    assert.equal((await sharp(bytes).metadata()).channels, 1, operation)
  }
  const [r, g, b] = await pixel((await post('convert', { format: 'jpeg' }, { image })).bytes, 10, 10)
  assert.ok(r === g && g === b)
})

test('transparency is kept where the format has it, and is flattened on white in JPEG', async () => {
  const image = await solid(30, 20, '#ff000066').png().toBuffer()
  assert.ok(near(await pixel((await post('convert', { format: 'webp', quality: 100 }, { image })).bytes, 5, 5), [255, 0, 0, 102]))
  assert.ok(near(await pixel((await post('convert', { format: 'jpeg' }, { image })).bytes, 5, 5), [255, 153, 153]))
})
