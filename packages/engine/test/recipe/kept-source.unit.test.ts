import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { runTask } from '../support/run-task.ts'

async function render(source: Buffer, output: object, steps: readonly object[] = []) {
  const recipe = recipeSchema.parse({ steps, outputs: [{ name: 'one', ...output }] })
  const doors = { files: [], accepts: ['avif' as const], allows: ['webp' as const, 'avif' as const, 'jpeg' as const] }
  const [image] = writtenImages(await runTask('recipe', { recipe, ...doors }, source))
  assert.ok(image)
  return image
}

/** A JPEG of a lower quality than results have: whatever encodes it again makes it larger. */
const lowJpeg = (quality = 30) => photo(400, 300).jpeg({ quality, mozjpeg: true }).toBuffer()
const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()

test('a file that encoding would make larger is sent as it came, at every kind of output', async () => {
  const source = await lowJpeg()
  for (const output of [{}, { format: 'jpeg' }, { format: 'jpeg', quality: 90 }, { format: 'jpeg', maxBytes: 500_000 }]) {
    const image = await render(source, output)
    assert.equal(image.keptSource, true, JSON.stringify(output))
    assert.ok(image.bytes.length <= source.length)
    assert.deepEqual(await pixels(image.bytes), await pixels(source))
  }
})

test('steps that change no pixel do not count', async () => {
  const source = await lowJpeg()
  for (const step of [{ resize: { width: 400 } }, { resize: { width: 900, enlarge: false } }, { rotate: { angle: 360 } }])
    assert.equal((await render(source, {}, [step])).keptSource, true, JSON.stringify(step))
})

test('where a step changes pixels, the result is encoded', async () => {
  const source = await lowJpeg()
  for (const step of [{ resize: { width: 399 } }, { resize: { width: 500 } }, { flip: {} }, { rotate: { angle: 90 } }]) {
    const image = await render(source, {}, [step])
    assert.equal(image.keptSource, undefined, JSON.stringify(step))
    assert.notDeepEqual(await pixels(image.bytes), await pixels(source))
  }
})

test('a smaller result is sent', async () => {
  const source = await photo(400, 300).jpeg({ quality: 100 }).toBuffer()
  const image = await render(source, {})
  assert.equal(image.keptSource, undefined)
  assert.ok(image.bytes.length < source.length)
})

test('auto and best send a source that is smaller than the formats to choose from', async () => {
  const source = await lowJpeg(5)
  for (const format of ['auto', 'best']) {
    const image = await render(source, { format })
    assert.deepEqual([image.keptSource, image.codec.name], [true, 'jpeg'], format)
  }
})

test('auto sends no source in a format that the caller has not named', async () => {
  const source = await photo(64, 64).tiff({ compression: 'jpeg', quality: 10 }).toBuffer()
  assert.notEqual((await render(source, { format: 'auto' })).codec.name, 'tiff')
})

test('metadata goes by its policy, though the file is the source', async () => {
  const source = await sharp(await lowJpeg())
    .withExif({ IFD0: { Artist: 'Ada' } })
    .jpeg({ quality: 25 })
    .toBuffer()
  const without = await render(source, {})
  assert.equal(without.keptSource, true)
  assert.ok(!without.bytes.includes('Ada'))
  const withAll = await render(source, { metadata: 'all' })
  assert.equal(withAll.keptSource, true)
  assert.ok(withAll.bytes.includes('Ada'))
})

test('a picture whose orientation, colours or damage the result would not have is encoded', async () => {
  const picture = sharp(await lowJpeg())
  const sideways = await picture.clone().withMetadata({ orientation: 6 }).jpeg({ quality: 20 }).toBuffer()
  const wide = await picture.clone().withIccProfile('p3').jpeg({ quality: 20 }).toBuffer()
  const cmyk = await picture.clone().toColourspace('cmyk').jpeg({ quality: 20 }).toBuffer()
  const cut = (await lowJpeg()).subarray(0, -2)
  for (const [what, source] of Object.entries({ sideways, wide, cmyk, cut }))
    assert.equal((await render(source, {})).keptSource, undefined, what)
  assert.equal((await render(wide, { icc: 'keep' })).keptSource, true)
})
