import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animatedGif, near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import type { StepRow } from '../../src/recipe/step.ts'
import { steps } from '../../src/recipe/steps/index.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { runTask } from '../support/run-task.ts'

/** Steps that edit samples in memory: exact pixels, frames, opacity, depth, orientation, and the smallest and largest values. */

async function make(source: Buffer, list: readonly object[], output: object = { format: 'png' }) {
  const recipe = recipeSchema.parse({ steps: list, outputs: [output] })
  const [image] = writtenImages(await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source))
  return image ?? assert.fail()
}

/** Red, green, blue and opacity of every pixel. */
const samplesOf = async (bytes: Buffer): Promise<number[]> => [
  ...(await sharp(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer()),
]

const pngOf = (samples: readonly number[], width: number, channels: 3 | 4): Promise<Buffer> =>
  sharp(Buffer.from(samples), { raw: { width, height: samples.length / channels / width, channels } })
    .png()
    .toBuffer()

test('pixelate gives each block its mean, of the part that lies inside, and counts transparent pixels by their opacity', async () => {
  const row = await pngOf([0, 10, 20, 100, 30, 40, 9, 9, 9], 3, 3)
  assert.deepEqual(
    await samplesOf((await make(row, [{ pixelate: { size: 2 } }])).bytes),
    [50, 20, 30, 255, 50, 20, 30, 255, 9, 9, 9, 255],
  )
  const half = await pngOf([200, 100, 0, 255, 0, 0, 255, 0], 2, 4)
  assert.deepEqual(
    await samplesOf((await make(half, [{ pixelate: { size: 10_000 } }])).bytes),
    [200, 100, 0, 128, 200, 100, 0, 128],
  )
})

test('opacity multiplies the opacity there is', async () => {
  const source = await pngOf([1, 2, 3, 255, 4, 5, 6, 100, 7, 8, 9, 0], 3, 4)
  const opacities = async (percent: number) =>
    (await samplesOf((await make(source, [{ opacity: { percent } }])).bytes)).filter((_, at) => at % 4 === 3)
  assert.deepEqual(await opacities(50), [128, 50, 0])
  assert.deepEqual(await opacities(100), [255, 100, 0])
  assert.deepEqual(await opacities(0), [0, 0, 0])
})

test('where a format has no transparency, corners and what shows through are white', async () => {
  const blue = await solid(40, 40, '#0000ff').png().toBuffer()
  const corner = async (step: object) => (await pixel((await make(blue, [step], { format: 'jpeg' })).bytes, 0, 0)).slice(0, 3)
  for (const level of await corner({ roundCorners: { radius: 'max' } })) assert.ok(level > 250)
  for (const level of await corner({ opacity: { percent: 0 } })) assert.ok(level > 250)
})

test('levels of 16 bits keep them', async () => {
  const deep = await sharp(new Uint16Array([257, 1_000, 40_001, 2_000, 30_000, 65_535]), {
    raw: { width: 2, height: 1, channels: 3 },
  })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  const levels = async (step: object) => {
    const { bytes } = await make(deep, [step], { format: 'same' })
    assert.equal((await sharp(bytes).metadata()).depth, 'ushort')
    const raw = await sharp(bytes).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()
    return [...new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)]
  }
  assert.deepEqual(await levels({ negate: {} }), [65_278, 64_535, 25_534, 63_535, 35_535, 0])
  assert.deepEqual((await levels({ pixelate: { size: 2 } })).slice(0, 3), [1_129, 15_500, 52_768])
})

test('each frame of an animation has its own blocks, corners and border', async () => {
  for (const [step, place, expected] of [
    [{ roundCorners: { radius: 20 } }, [0, 0], 0],
    [{ border: { width: 5, color: '#123456' } }, [0, 79], 255],
    [{ pixelate: { size: 50 } }, [0, 79], 255],
  ] as const) {
    const { bytes } = await make(await animatedGif(120, 80), [step], { format: 'webp', quality: 100 })
    const { pages, pageHeight } = await sharp(bytes, { animated: true }).metadata()
    assert.deepEqual([pages, pageHeight], [3, 80])
    const frames = await Promise.all([0, 1, 2].map((frame) => pixel(bytes, place[0], place[1], frame)))
    for (const colour of frames) assert.equal(colour[3] ?? 255, expected, JSON.stringify(step))
    if ('border' in step) assert.deepEqual(frames[0], frames[2])
    if ('pixelate' in step) assert.notDeepEqual(frames[0], frames[2])
  }
})

test('a photograph that lies on its side is edited as it is displayed', async () => {
  const photograph = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0000ff' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100 })
    .toBuffer()
  const image = await make(photograph, [{ border: { width: 4, color: '#ffffff' } }])
  assert.deepEqual([image.width, image.height], [40, 60])
  assert.deepEqual((await pixel(image.bytes, 20, 58)).slice(0, 3), [255, 255, 255])
  assert.ok(((await pixel(image.bytes, 20, 54))[0] ?? 255) < 10)
})

test('one pixel, and values beyond the picture, are taken', async () => {
  const one = await solid(1, 1, '#204060').png().toBuffer()
  const cases = [
    [{ roundCorners: { radius: 10_000 } }, [32, 64, 96, 255]],
    [{ roundCorners: { radius: '100%' } }, [32, 64, 96, 255]],
    [{ border: { width: 10_000, color: '#fff' } }, [255, 255, 255, 255]],
    [{ pixelate: { size: 10_000 } }, [32, 64, 96, 255]],
    [{ gamma: { gamma: 1 } }, [32, 64, 96, 255]],
    [{ contrast: { amount: 0 } }, [32, 64, 96, 255]],
    [{ sepia: { amount: 0 } }, [32, 64, 96, 255]],
    [{ vibrance: { amount: 0 } }, [32, 64, 96, 255]],
    [{ negate: {} }, [223, 191, 159, 255]],
  ] as const
  for (const [step, expected] of cases)
    assert.deepEqual(await samplesOf((await make(one, [step])).bytes), expected, JSON.stringify(step))
})

test('round corners have the area of a circle, and meet a border of the same radius', async () => {
  const red = await solid(100, 100, '#ff0000').png().toBuffer()
  const disk = await samplesOf((await make(red, [{ roundCorners: { radius: 'max' } }])).bytes)
  const area = disk.filter((_, at) => at % 4 === 3).reduce((sum, opacity) => sum + opacity / 255, 0)
  assert.ok(Math.abs(area - Math.PI * 2_500) < 10, String(area))
  const steps = [{ border: { width: 10, color: '#0000ff', radius: '50%' } }, { roundCorners: { radius: '50%' } }]
  const { bytes } = await make(red, steps)
  const places = [0, 5, 12, 50].map((x) => pixel(bytes, x, 50))
  const [edge, ring, inner, middle] = await Promise.all(places)
  assert.deepEqual(
    [ring, inner, middle],
    [
      [0, 0, 255, 255],
      [255, 0, 0, 255],
      [255, 0, 0, 255],
    ],
  )
  assert.ok(near(edge ?? [], [0, 0, 255]))
  assert.equal((await pixel(bytes, 10, 10))[3], 0)
})

test('shades of grey stay grey, with their opacity', async () => {
  const grey = await sharp(Buffer.from([10, 255, 200, 128]), { raw: { width: 2, height: 1, channels: 2 } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
  for (const before of [[], [{ grayscale: {} }]])
    assert.deepEqual(
      await samplesOf((await make(grey, [...before, { negate: {} }])).bytes),
      [245, 245, 245, 255, 55, 55, 55, 128],
    )
})

test('bad parameters name their place', () => {
  for (const step of [
    { roundCorners: {} },
    { roundCorners: { radius: -1 } },
    { roundCorners: { radius: 'most' } },
    { roundCorners: { radius: '101%' } },
    { roundCorners: { radius: 8, background: 'red' } },
    { border: {} },
    { border: { width: 0 } },
    { border: { width: 10_001 } },
    { opacity: { percent: 101 } },
    { opacity: {} },
    { pixelate: { size: 0 } },
    { contrast: { amount: -101 } },
    { gamma: { gamma: 0 } },
    { sepia: { amount: 101 } },
    { vibrance: { amount: '1e1' } },
    { negate: { amount: 1 } },
  ]) {
    const { error } = recipeSchema.safeParse({ steps: [step] })
    assert.deepEqual(error?.issues[0]?.path.slice(0, 3), ['steps', 0, Object.keys(step)[0]], JSON.stringify(step))
  }
})

test('a radius is a number, a percentage or max, as text too', () => {
  for (const [text, radius] of [
    ['12.5', 12.5],
    [' 20% ', '20%'],
    ['max', 'max'],
    [0, 0],
  ] as const) {
    const { steps } = recipeSchema.parse({ steps: [{ roundCorners: { radius: text } }] })
    assert.equal(steps[0]?.roundCorners?.radius, radius)
  }
})

test('values that change nothing are said to be neutral, so that the source may be the answer', () => {
  const canvas = { width: 30, height: 20, alpha: false, grey: false }
  for (const [name, neutral, effective] of [
    ['pixelate', { size: 1 }, { size: 2 }],
    ['opacity', { percent: 100 }, { percent: 99 }],
    ['roundCorners', { radius: '0%' }, { radius: 1 }],
    ['contrast', { amount: 0 }, { amount: 1 }],
    ['gamma', { gamma: 1 }, { gamma: 1.1 }],
    ['sepia', { amount: 0 }, {}],
    ['vibrance', { amount: 0 }, { amount: -1 }],
  ] as const) {
    const row: StepRow = steps[name]
    assert.equal(row.isNeutral?.(canvas, row.params.parse(neutral)), true, name)
    assert.equal(row.isNeutral?.(canvas, row.params.parse(effective)), false, name)
  }
})
