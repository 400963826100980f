import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { times } from '@pixelmill/codecs/test/support/at-night'
import { animatedGif, everyFormat, photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { pick, randomRecipe } from '../support/random-recipes.ts'
import { readable } from '../support/readable.ts'
import { runTask } from '../support/run-task.ts'

const make = async (source: Buffer, recipe: unknown, files: Readonly<Record<string, Buffer>> = {}) => {
  const params = { recipe: recipeSchema.parse(recipe), files: Object.keys(files), accepts: [], allows: [] }
  return writtenImages(await runTask('recipe', params, source, ...Object.values(files)))
}

async function pixelsOf(bytes: Buffer) {
  const { data, info } = await sharp(await readable(bytes), { animated: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.pageHeight ?? info.height }
}

const RANDOM_RECIPES = times({ seldom: 25, often: 500 })

test('random recipes of every format make what they say, or are refused with an error of the image or the parameters', async () => {
  const random = seededRandom(3)
  const sources = Object.values(await everyFormat())
  let renderings = 0
  for (let nth = 0; nth < RANDOM_RECIPES; nth++) {
    const recipe = randomRecipe(random)
    try {
      const images = await make(pick(random, sources), recipe)
      assert.equal(images.length, recipe.outputs?.length ?? 1)
      for (const { bytes, width, height, codec } of images) {
        if (codec.name === 'bmp' || codec.name === 'heic') continue
        const { width: across, height: down } = await pixelsOf(bytes)
        assert.deepEqual([across, down], [width, height], JSON.stringify(recipe))
      }
      renderings++
    } catch (error) {
      assert.ok(
        error instanceof ImageError && ['invalid_params', 'image_too_large'].includes(error.code),
        JSON.stringify([recipe, `${error}`]),
      )
    }
  }
  assert.ok(renderings > RANDOM_RECIPES / 3, String(renderings))
})

describe('each of several outputs is what it would be alone', async () => {
  const recipe = {
    steps: [{ rotate: { angle: 90 } }, { blur: { sigma: 1 } }],
    outputs: [
      { name: 'a', format: 'png', steps: [{ resize: { width: 60 } }] },
      { name: 'b', format: 'png', steps: [{ crop: { x: 5, y: 7, width: 20, height: 30 } }, { grayscale: {} }] },
      { name: 'c', format: 'png' },
    ],
  }
  for (const [name, source] of Object.entries(await everyFormat())) {
    test(name, async () => {
      const together = await make(source, recipe)
      for (const [index, output] of recipe.outputs.entries()) {
        const [alone] = await make(source, { ...recipe, outputs: [output] })
        const [one, other] = await Promise.all([together[index], alone].map((image) => pixelsOf(image?.bytes ?? Buffer.alloc(0))))
        assert.deepEqual(one, other, output.name)
      }
    })
  }
})

test('several sizes of a JPEG are what each would be alone', async () => {
  const source = await photo(1_001, 667).jpeg({ quality: 95 }).toBuffer()
  const outputs = [400, 250, 100].map((width) => ({ name: `w${width}`, format: 'webp', steps: [{ resize: { width } }] }))
  const together = await make(source, { outputs })
  for (const [index, output] of outputs.entries()) {
    const [alone] = await make(source, { outputs: [output] })
    assert.deepEqual(together[index]?.bytes, alone?.bytes)
  }
})

test('steps are done in their order', async () => {
  // The left half is black, the right one white.
  const half = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#fff' } })
    .composite([{ input: { create: { width: 10, height: 20, channels: 3, background: '#000' } }, left: 0, top: 0 }])
    .png()
    .toBuffer()
  const leftmost = async (...steps: readonly object[]) => {
    const [image] = await make(half, { steps, outputs: [{ format: 'png' }] })
    const { data, width, height } = await pixelsOf(image?.bytes ?? Buffer.alloc(0))
    return { level: data[0], width, height }
  }
  const crop = { crop: { x: 0, y: 0, width: 10, height: 10 } }
  assert.deepEqual(await leftmost({ flop: {} }, crop), { level: 255, width: 10, height: 10 })
  assert.deepEqual(await leftmost(crop, { flop: {} }), { level: 0, width: 10, height: 10 })
  assert.deepEqual(await leftmost(crop, { resize: { width: 40 } }), { level: 0, width: 40, height: 40 })
  assert.deepEqual(await leftmost({ resize: { width: 40 } }, { crop: { x: 30, y: 0, width: 10, height: 10 } }), {
    level: 255,
    width: 10,
    height: 10,
  })
  // Clockwise, the left half comes to the top.
  assert.deepEqual(await leftmost({ rotate: { angle: 90 } }, crop), { level: 0, width: 10, height: 10 })
  assert.deepEqual(await leftmost({ rotate: { angle: 270 } }, crop), { level: 255, width: 10, height: 10 })
})

test('of an animation every frame is edited, and an output that cannot be animated has the first', async () => {
  const source = await animatedGif()
  const pages = (await sharp(source, { animated: true }).metadata()).pages ?? 1
  assert.ok(pages > 1)
  const images = await make(source, {
    steps: [{ flip: {} }, { resize: { width: 16 } }],
    outputs: [
      { name: 'moving', format: 'webp' },
      { name: 'still', format: 'png' },
    ],
  })
  const frames = await Promise.all(
    images.map(async ({ bytes }) => (await sharp(bytes, { animated: true }).metadata()).pages ?? 1),
  )
  assert.deepEqual(frames, [pages, 1])
})

test('a step that only the size on the way makes impossible is refused at its place, and nothing is made', async () => {
  const source = await photo(100, 80).png().toBuffer()
  const refusal = async (recipe: unknown) => {
    try {
      await make(source, recipe)
      return undefined
    } catch (error) {
      return error instanceof ImageError ? [error.code, error.issues?.map(({ path }) => path.join('.'))] : error
    }
  }
  const crop = { crop: { x: 0, y: 0, width: 90, height: 80 } }
  assert.deepEqual(await refusal({ steps: [crop, crop] }), undefined)
  assert.deepEqual(await refusal({ steps: [{ resize: { width: 50 } }, crop] }), [
    'invalid_params',
    ['steps.1.crop.width', 'steps.1.crop.height'],
  ])
  assert.deepEqual(await refusal({ outputs: [{}, { name: 'b', steps: [{ rotate: { angle: 90 } }, crop] }] }), [
    'invalid_params',
    ['outputs.1.steps.1.crop.width'],
  ])
  assert.deepEqual(await refusal({ outputs: [{ visualQuality: 50 }] }), ['invalid_params', ['outputs.0.visualQuality']])
  const large = { resize: { width: 10_000, height: 10_000, fit: 'fill' } }
  assert.deepEqual(await refusal({ steps: [large] }), ['image_too_large', undefined])
  const wide = { resize: { width: 10_000, height: 7_000, fit: 'fill' } }
  const three = ['a', 'b', 'c'].map((name) => ({ name, steps: [wide] }))
  assert.deepEqual(await refusal({ outputs: three }), ['image_too_large', undefined])
})
