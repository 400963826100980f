import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())
const remove = (file: Buffer, format: 'png' | 'webp' = 'png', least = 0) =>
  pool.study('background', { format, least }, [file], new AbortController().signal)

const [WIDTH, HEIGHT] = [240, 180]
const picture = sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="240" height="180" fill="#dfe4e8"/>
    <circle cx="110" cy="95" r="55" fill="#a31f34"/></svg>`,
  ),
).removeAlpha()

/** Red, green, blue and alpha in the middle of the subject and in a corner. */
async function seen(bytes: Buffer | undefined) {
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
    const { size, middle, corner } = await seen(files[0])
    assert.deepEqual([size, corner, middle[3]], [[WIDTH, HEIGHT], [0, 0, 0, 0], 255])
    assert.deepEqual([report.width, report.height], [WIDTH, HEIGHT])
    assert.ok((report.confidence as number) >= 0.7, `confidence ${report.confidence}`)
  })
}

test('WebP is written where it is asked for, and orientation is applied', async () => {
  const { files } = await remove(await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'webp')
  assert.equal((await sharp(files[0]).metadata()).format, 'webp')
  const { size, middle, corner } = await seen(files[0])
  assert.deepEqual([size, corner[3], middle[3]], [[HEIGHT, WIDTH], 0, 255])
})

test('with less confidence than asked for there is a report and no file', async () => {
  const plain = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  const { report, files } = await remove(plain, 'png', 0.7)
  assert.ok((report.confidence as number) < 0.7)
  assert.deepEqual(files, [])
})

test('a picture longer than WebP holds is refused before it is decoded', async () => {
  const long = await sharp({ create: { width: 16_384, height: 2, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  await assert.rejects(remove(long, 'webp'), { code: 'image_too_large' })
})
