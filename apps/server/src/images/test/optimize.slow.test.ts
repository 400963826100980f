import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs, recognise } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { plainApng } from '@pixelmill/codecs/test/support/apng'
import { animatedGif, animatedWebp, everyFormat, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { readable } from '@pixelmill/engine/test/support/readable'
import { similarityTo } from '@pixelmill/vision/likeness/similarity'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const optimize = async (image: Buffer, quality: number): Promise<Buffer> => {
  const { status, bytes, error } = await post('optimize', { quality }, { image })
  assert.equal(status, 200, String(error?.message))
  return bytes
}
const shownPixels = async (bytes: Buffer, isAnimated = false) =>
  sharp(await readable(bytes), { animated: isAnimated, autoOrient: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()

const source = await photo().png().toBuffer()
const pictures: Readonly<Record<string, Buffer>> = {
  ...(await everyFormat()),
  'transparent png': await solid(64, 48, '#2080c080').png().toBuffer(),
  'palette png': await sharp(source).png({ palette: true, colours: 64 }).toBuffer(),
  'lossless webp': await sharp(source).webp({ lossless: true, effort: 0 }).toBuffer(),
  'tiff with jpeg inside': await sharp(source).tiff({ compression: 'jpeg', quality: 97 }).toBuffer(),
  'bilevel tiff': await sharp(source).toColourspace('b-w').threshold(120).tiff({ compression: 'none', bitdepth: 1 }).toBuffer(),
  'animated gif': await animatedGif(),
  'animated webp': await animatedWebp(),
  'one pixel': await solid(1, 1, '#ff0000').png().toBuffer(),
}

for (const [name, image] of Object.entries(pictures)) {
  const codec = recognise(image) ?? codecs.png
  const isAnimated = name.startsWith('animated')

  test(`${name}: the answer is never larger, and at least as close to the original as a plain JPEG of the quality`, async () => {
    const original = await readable(image)
    const { hasAlpha, space, pages } = await sharp(original, { animated: isAnimated }).metadata()
    const shape = { grey: space === 'b-w', alpha: hasAlpha && codec.alpha, frames: pages ?? 1 }
    const likeness = await similarityTo(sharp(original, { animated: isAnimated, autoOrient: true }), shape)
    for (const quality of [30, 75, 95]) {
      const bytes = await optimize(image, quality)
      assert.equal(recognise(bytes), codec)
      assert.ok(bytes.length <= image.length, `${quality}: ${bytes.length} of ${image.length}`)
      assert.ok((await likeness.of(bytes, codec)) >= (await likeness.promised(quality)), `${quality}`)
    }
  })

  test(`${name}: at 100 no pixel changes`, async () => {
    const bytes = await optimize(image, 100)
    assert.ok(bytes.length <= image.length)
    assert.ok((await shownPixels(bytes, isAnimated)).equals(await shownPixels(image, isAnimated)))
  })
}

for (const name of ['jpeg', 'png', 'tiff']) {
  test(`${name}: a second optimization changes no pixel`, async () => {
    const once = await optimize(pictures[name] ?? source, 60)
    assert.ok(once.length < (pictures[name]?.length ?? 0), 'the first time did something')
    const twice = await optimize(once, 60)
    assert.ok(twice.length <= once.length)
    assert.ok((await shownPixels(twice)).equals(await shownPixels(once)))
  })
}

test('a JPEG of lower quality than is asked for is compressed better without quantising it again', async () => {
  const image = await sharp(source).jpeg({ quality: 60, optimiseCoding: false }).toBuffer()
  const bytes = await optimize(image, 75)
  assert.ok(bytes.length < image.length)
  assert.deepEqual(await shownPixels(bytes), await shownPixels(image))
})

for (const orientation of [1, 6]) {
  test(`a JPEG that is compressed without loss keeps its profile and its orientation, ${orientation}`, async () => {
    const image = await sharp(source)
      .withIccProfile('p3')
      .withMetadata({ orientation })
      .withExifMerge({ IFD0: { Copyright: 'An Author' } })
      .jpeg({ quality: 60, optimiseCoding: false })
      .toBuffer()
    const bytes = await optimize(image, 100)
    // Without its metadata alone it has 96 % of its bytes, compressed anew 80 %.
    assert.ok(bytes.length < 0.88 * image.length)
    assert.ok(!bytes.includes('An Author'))
    assert.deepEqual((await sharp(bytes).metadata()).icc, (await sharp(image).metadata()).icc)
    assert.deepEqual(await shownPixels(bytes), await shownPixels(image))
  })
}

test('further pages of a TIFF and frames of an APNG are not dropped', async () => {
  const page = await sharp(source).resize(40).png().toBuffer()
  const pages = await sharp([page, page], { join: { animated: true } })
    .tiff({ compression: 'none' })
    .toBuffer()
  const { pages: count = 1 } = await sharp(pages).metadata()
  assert.equal((await sharp(await optimize(pages, 75)).metadata()).pages ?? 1, count)
  const frames = [
    [255, 0, 0],
    [0, 0, 255],
    [0, 0, 255],
  ].map((rows) => ({ rows }))
  const apng = plainApng({ width: 200, height: 100, colourType: 2, frames })
  const smallerApng = await optimize(apng, 100)
  assert.deepEqual([(await readHeader(smallerApng)).frames, smallerApng.length < apng.length], [3, true])
})

/** Each frame twice, as some programs write them; sharp itself would write it once, for longer. */
function everyFrameTwice(webp: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 12; at < webp.length; ) {
    const end = at + 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2)
    const chunk = webp.subarray(at, end)
    chunks.push(chunk, ...(chunk.toString('latin1', 0, 4) === 'ANMF' ? [chunk] : []))
    at = end
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const riff = Buffer.from('RIFF____')
  riff.writeUInt32LE(body.length, 4)
  return Buffer.concat([riff, body])
}

for (const quality of [80, 100]) {
  test(`repeated frames of a WebP are written once at ${quality}, with the same total delay`, async () => {
    const image = everyFrameTwice(await animatedWebp())
    assert.equal((await sharp(image, { animated: true }).metadata()).pages, 6)
    const bytes = await optimize(image, quality)
    assert.ok(bytes.length < image.length)
    const { pages, delay } = await sharp(bytes, { animated: true }).metadata()
    assert.deepEqual([pages, delay], [3, [200, 400, 600]])
    if (quality === 100) assert.ok((await shownPixels(bytes, true)).equals(await shownPixels(await animatedWebp(), true)))
  })
}
