import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animatedGif, everyFormat, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { runTask } from '../support/run-task.ts'

const SECRET = 'a copyright'
const cut = (x: number, y: number, width: number, height: number, toWidth = width, toHeight = height) =>
  ({ x, y, width, height, toWidth, toHeight }) as const
const cutOut = (file: Buffer, ...cuts: ReturnType<typeof cut>[]) => runTask('cuts', { cuts }, file)

test('every cut is a file of its own, of the size asked, upright, in sRGB and without metadata', async () => {
  const file = await photo(300, 200)
    .withExif({ IFD0: { Copyright: SECRET } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const { report, files } = await cutOut(file, cut(0, 0, 200, 300), cut(10, 20, 100, 100), cut(0, 100, 200, 100, 60, 30))
  assert.equal(report.format, 'jpeg')
  const metadata = await Promise.all(files.map((bytes) => sharp(bytes).metadata()))
  assert.deepEqual(
    metadata.map(({ format, width, height, orientation, exif, icc }) => [format, width, height, orientation, exif, icc]),
    [
      ['jpeg', 200, 300, undefined, undefined, undefined],
      ['jpeg', 100, 100, undefined, undefined, undefined],
      ['jpeg', 60, 30, undefined, undefined, undefined],
    ],
  )
})

test('a cut has the pixels of its rectangle', async () => {
  const red = await solid(20, 20, '#ff0000').png().toBuffer()
  const file = await solid(120, 80, '#0000ff')
    .composite([{ input: red, left: 50, top: 30 }])
    .png()
    .toBuffer()
  const { files } = await cutOut(file, cut(50, 30, 20, 20), cut(70, 30, 20, 20), cut(40, 20, 40, 40, 20, 20))
  const [exact = Buffer.alloc(0), beside = Buffer.alloc(0), shrunk = Buffer.alloc(0)] = files
  for (const [x, y] of [
    [0, 0],
    [19, 0],
    [0, 19],
    [19, 19],
  ] as const) {
    assert.ok(near(await pixel(exact, x, y), [255, 0, 0, 255]))
    assert.ok(near(await pixel(beside, x, y), [0, 0, 255, 255]))
    assert.ok(near(await pixel(shrunk, x, y), [0, 0, 255, 255]))
  }
  assert.ok(near(await pixel(shrunk, 10, 10), [255, 0, 0, 255]))
})

test('a format that browsers show is kept; others become JPEG, or PNG with transparency', async () => {
  const { tiff, ...shown } = await everyFormat()
  const formats: [Buffer | undefined, string][] = [
    [shown.jpeg, 'jpeg'],
    [shown.png, 'png'],
    [shown.webp, 'webp'],
    [shown.avif, 'avif'],
    [tiff, 'jpeg'],
    [await solid(50, 50, '#ff000080').tiff({ compression: 'lzw' }).toBuffer(), 'png'],
    [await animatedGif(), 'png'],
  ]
  for (const [file = Buffer.alloc(0), expected] of formats) {
    const { report, files } = await cutOut(file, cut(5, 5, 30, 20))
    const { format, width, height } = await sharp(files[0]).metadata()
    assert.deepEqual([report.format, format, width, height], [expected, expected === 'avif' ? 'heif' : expected, 30, 20])
  }
})

test('transparency is kept, and colours of CMYK are those on a screen', async () => {
  const { files } = await cutOut(await solid(40, 40, '#00ff0000').png().toBuffer(), cut(10, 10, 20, 20))
  assert.equal((await pixel(files[0] ?? Buffer.alloc(0), 5, 5))[3], 0)
  const cmyk = await solid(40, 40, '#c02020').toColourspace('cmyk').jpeg().toBuffer()
  const { files: cutFiles } = await cutOut(cmyk, cut(0, 0, 20, 20))
  assert.equal((await sharp(cutFiles[0]).metadata()).space, 'srgb')
})
