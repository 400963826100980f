import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { type Box, fits, fittedSize, type Size } from '@pixelmill/codecs/pixels/size'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { animatedGif, animatedWebp, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { planRecipe } from '../../src/recipe/plan.ts'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { pick } from '../support/random-recipes.ts'
import { readable } from '../support/readable.ts'
import { runTask } from '../support/run-task.ts'

/** The size that is planned is the one that is sent, whatever a decoder does on the way. */

async function sizeAfter(source: Buffer, resize: object, format = 'same'): Promise<Size> {
  const recipe = recipeSchema.parse({ steps: [{ resize }], outputs: [{ format }] })
  const answer = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source)
  const [image] = writtenImages(answer)
  const { width = 0, height = 0, pageHeight = height } = await sharp(await readable(image?.bytes ?? Buffer.alloc(0))).metadata()
  assert.deepEqual([image?.width, image?.height], [width, pageHeight], 'what is said of it')
  return { width, height: pageHeight }
}

const sharpWrites = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const

/** One colour, in formats that are decoded quickly whatever the size. */
const plain = async ({ width, height }: Size, format: (typeof sharpWrites)[number], orientation = 1) => {
  const pixels = solid(width, height, '#4080c0')
  return (orientation > 1 ? pixels.withMetadata({ orientation }) : pixels)
    .toFormat(format, format === 'jpeg' || format === 'png' || format === 'gif' ? {} : { effort: 0, lossless: false })
    .toBuffer()
}

for (const format of sharpWrites)
  test(`1500 × 735 to width 300 is 300 × 147 from ${format}`, async () => {
    assert.deepEqual(await sizeAfter(await plain({ width: 1_500, height: 735 }, format), { width: 300 }, 'png'), {
      width: 300,
      height: 147,
    })
  })

test('1500 × 735 to width 300 is 300 × 147 from BMP and JPEG XL', async () => {
  const settings = { quality: undefined, megapixels: 1, animation: undefined }
  for (const { encode } of [codecs.bmp, codecs.jxl]) {
    const { bytes } = await encode(solid(1_500, 735, '#4080c0').toColourspace('srgb'), settings)
    assert.deepEqual(await sizeAfter(bytes, { width: 300 }, 'png'), { width: 300, height: 147 })
  }
})

test('every size of every fit is what is planned, upright or turned by its orientation', async () => {
  const random = seededRandom(17)
  const side = (from: number, to: number) => from + Math.floor(random() * (to - from))
  for (let nth = 0; nth < 120; nth++) {
    const storedSize = { width: side(300, 1_300), height: side(300, 1_300) }
    const format = pick(random, ['jpeg', 'jpeg', 'jpeg', 'webp', 'png'] as const)
    const orientation = format === 'png' ? 1 : pick(random, [1, 1, 3, 5, 6, 8])
    const shownSize = orientation >= 5 ? { width: storedSize.height, height: storedSize.width } : storedSize
    const sides = pick(random, ['width', 'height', 'both'] as const)
    const box = {
      ...(sides !== 'height' && { width: side(170, 420) }),
      ...(sides !== 'width' && { height: side(170, 420) }),
      fit: pick(random, fits),
    }
    const size = await sizeAfter(await plain(storedSize, format, orientation), box)
    assert.deepEqual(size, byFractions(shownSize, box), JSON.stringify({ format, orientation, stored: storedSize, box }))
    assert.deepEqual(size, fittedSize(shownSize, box))
  }
})

test('the frames of an animation have the size of a still picture', async () => {
  for (const source of [await animatedGif(121, 79), await animatedWebp(121, 79)])
    for (const fit of fits)
      for (const box of [
        { width: 37, fit },
        { width: 50, height: 41, fit },
      ])
        assert.deepEqual(await sizeAfter(source, box, 'webp'), byFractions({ width: 121, height: 79 }, box), JSON.stringify(box))
})

/** The rule in whole numbers: the other side in proportion, to the nearest pixel, halves up. */
function byFractions(from: Size, { width, height, fit }: Box): Size {
  const across = BigInt(from.width)
  const down = BigInt(from.height)
  const nearest = (above: bigint, below: bigint) => Math.max(1, Number((2n * above + below) / (2n * below)))
  const byWidth = width !== undefined && { width, height: nearest(down * BigInt(width), across) }
  const byHeight = height !== undefined && { width: nearest(across * BigInt(height), down), height }
  if (!byWidth || !byHeight) return byWidth || byHeight || from
  if (fit !== 'inside' && fit !== 'outside') return { width: byWidth.width, height: byHeight.height }
  const isWider = BigInt(byWidth.width) * down > BigInt(byHeight.height) * across
  return isWider === (fit === 'outside') ? byWidth : byHeight
}

test('the other side is rounded as its fraction says, halves up', () => {
  const random = seededRandom(5)
  const side = () => 1 + Math.floor(random() * 10_000)
  for (let nth = 0; nth < 50_000; nth++) {
    const from = { width: side(), height: side() }
    const box = { width: side(), height: side(), fit: pick(random, fits) }
    assert.deepEqual(fittedSize(from, box), byFractions(from, box))
    assert.deepEqual(fittedSize(from, { ...box, width: undefined }), byFractions(from, { ...box, width: undefined }))
  }
  assert.deepEqual(fittedSize({ width: 564, height: 857 }, { width: 282, fit: 'inside' }), { width: 282, height: 429 })
})

const sides = [
  ['webp', 16_383],
  ['avif', 16_384],
  ['jpeg', 65_500],
] as const
for (const [format, most] of sides)
  test(`best may write ${format} at exactly ${most} pixels a side, and not one above`, async () => {
    const header = await readHeader(await plain({ width: 8, height: 8 }, 'png'))
    const recipe = recipeSchema.parse({ outputs: [{ format: 'best' }] })
    const doors = { files: [], accepts: [], allows: [...sides.map(([name]) => name), 'png'] as const }
    const may = (size: Size) =>
      planRecipe(recipe, { ...header, ...size }, doors, NO_PROGRAMS).outputs[0]?.choices.some(({ name }) => name === format)
    assert.equal(codecs[format].maxSide, most)
    for (const size of [
      { width: most, height: 1 },
      { width: 1, height: most },
    ])
      assert.equal(may(size), true)
    for (const size of [
      { width: most + 1, height: 1 },
      { width: 1, height: most + 1 },
    ])
      assert.equal(may(size), false)
  })
