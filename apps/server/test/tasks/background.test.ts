import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())
const remove = (file: Buffer, format: 'png' | 'webp' = 'png', least = 0) =>
  pool.run('background', { format, least }, [[file]], new AbortController().signal)

const WIDTH = 120
const HEIGHT = 90
const picture = sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 240 180"><rect width="240" height="180" fill="#dfe4e8"/>
    <circle cx="110" cy="95" r="55" fill="#a31f34"/></svg>`,
  ),
).removeAlpha()

/** Red, green, blue and alpha in the middle of the subject and in a corner. */
async function pixelsSeen(bytes: Buffer | undefined) {
  const { data, info } = await sharp(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
  return { size: [info.width, info.height], middle: at(info.width / 2 - 10, info.height / 2), corner: at(3, 3) }
}

const inputs: Readonly<Record<string, () => Promise<Buffer>>> = {
  JPEG: () => picture.clone().jpeg({ quality: 90 }).toBuffer(),
  'CMYK in JPEG': () => picture.clone().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
  'grey PNG': () => picture.clone().toColourspace('b-w').png().toBuffer(),
  'PNG of 16 bits': () => picture.clone().toColourspace('rgb16').png().toBuffer(),
  GIF: () => picture.clone().gif().toBuffer(),
  AVIF: () => picture.clone().avif({ quality: 70, effort: 0 }).toBuffer(),
}
for (const [name, write] of Object.entries(inputs)) {
  test(`${name} loses its background`, async () => {
    const { report, files } = await remove(await write())
    const { size, middle, corner } = await pixelsSeen(files[0])
    assert.deepEqual([size, corner, middle[3]], [[WIDTH, HEIGHT], [0, 0, 0, 0], 255])
    assert.deepEqual([report.width, report.height], [WIDTH, HEIGHT])
    assert.ok((report.confidence as number) >= 0.7, `confidence ${report.confidence}`)
  })
}

test('WebP is written where it is asked for, and orientation is applied', async () => {
  const { files } = await remove(await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'webp')
  assert.equal((await sharp(files[0]).metadata()).format, 'webp')
  const { size, middle, corner } = await pixelsSeen(files[0])
  assert.deepEqual([size, corner[3], middle[3]], [[HEIGHT, WIDTH], 0, 255])
})

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 40, g: 80, b: 120, alpha } } })

const bare: Readonly<Record<string, Sharp>> = {
  'one pixel': plain(1, 1),
  'two pixels': plain(2, 1),
  'a thread': plain(1, 3_000),
  'one colour': plain(60, 40),
}
for (const [name, pixels] of Object.entries(bare)) {
  test(`${name}: nothing can be cut out, and the report says so`, async () => {
    const file = await pixels.png().toBuffer()
    const { width, height } = await sharp(file).metadata()
    const { report, files } = await remove(file)
    assert.deepEqual([report.width, report.height], [width, height])
    assert.ok((report.confidence as number) < 0.7, `confidence ${report.confidence}`)
    const writtenMetadata = await sharp(files[0]).metadata()
    assert.deepEqual([writtenMetadata.width, writtenMetadata.height], [width, height])
    assert.deepEqual((await remove(file, 'png', 0.7)).files, [])
  })
}

test('transparency is kept, even where all is transparent', async () => {
  const { report, files } = await remove(await plain(50, 40, 0).png().toBuffer(), 'png', 1)
  assert.deepEqual([report.confidence, report.width, report.height], [1, 50, 40])
  const { data, info } = await sharp(files[0]).raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.channels, data.every((sample) => sample === 0)], [4, true])
})

test('what crosses the picture from edge to edge is no subject', async () => {
  const cross = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90" viewBox="0 0 240 180"><path stroke="#246" stroke-width="50" d="M0 90h240M120 0v180"/></svg>',
  )
  const file = await sharp(cross).flatten({ background: '#eee' }).jpeg({ quality: 90 }).toBuffer()
  const { report, files } = await remove(file, 'png', 0.7)
  assert.deepEqual([report.confidence, files], [0, []])
})

test('of an animation the first frame is cut out', async () => {
  const frame = (fill: string) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="80"><circle cx="45" cy="40" r="25" fill="${fill}"/></svg>`,
      ),
    )
      .flatten({ background: '#dfe4e8' })
      .png()
      .toBuffer()
  const frames = await Promise.all(['#a31f34', '#1f34a3'].map(frame))
  for (const moving of [sharp(frames, { join: { animated: true } }).gif(), sharp(frames, { join: { animated: true } }).webp()]) {
    const { report, files } = await remove(await moving.toBuffer(), 'webp')
    const { pages = 1, width, height } = await sharp(files[0]).metadata()
    assert.deepEqual([pages, width, height, report.height], [1, 90, 80, 80])
    const { data, info } = await sharp(files[0]).raw().toBuffer({ resolveWithObject: true })
    const [red = 0, , blue = 255, alpha] = data.subarray((40 * info.width + 45) * 4)
    assert.ok(red > 140 && blue < 80 && alpha === 255, `${[red, blue, alpha]}`)
  }
})

test('with less confidence than asked for there is a report and no file', async () => {
  const { report, files } = await remove(await plain(64, 64).jpeg().toBuffer(), 'png', 0.7)
  assert.ok((report.confidence as number) < 0.7)
  assert.deepEqual(files, [])
})

test('a picture longer than WebP holds is refused before it is decoded', async () => {
  const long = await sharp({ create: { width: 16_384, height: 2, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  await assert.rejects(remove(long, 'webp'), { code: 'image_too_large' })
})
