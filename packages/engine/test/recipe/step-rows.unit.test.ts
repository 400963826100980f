import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, pixel } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import type { StepRow } from '../../src/recipe/step.ts'
import { type StepName, steps } from '../../src/recipe/steps/index.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { runTask } from '../support/run-task.ts'

/** What follows from the rows of the table of steps: a new step without a line here does not compile. */

async function render(source: Buffer, list: readonly object[]) {
  const recipe = recipeSchema.parse({ steps: list, outputs: [{ format: 'png' }] })
  const [image] = writtenImages(await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source))
  return image ?? assert.fail()
}

/** 60 × 40 pixels of dark blue, with orange in the top-left quarter, and a transparent pixel in the last corner. */
const source = await sharp({ create: { width: 60, height: 40, channels: 4, background: '#204060' } })
  .composite([
    { input: { create: { width: 30, height: 20, channels: 4, background: '#ff8000' } }, left: 0, top: 0 },
    { input: Buffer.from([0, 0, 0, 255]), raw: { width: 1, height: 1, channels: 4 }, left: 59, top: 39, blend: 'dest-out' },
  ])
  .png()
  .toBuffer()

const ORANGE = [255, 128, 0]
const BLUE = [32, 64, 96]

/** A light disk on a dark field. */
const disk = async (): Promise<Buffer> =>
  sharp(
    Buffer.from(
      '<svg width="240" height="160"><rect width="240" height="160" fill="#204060"/><circle cx="120" cy="80" r="50" fill="#ffc080"/></svg>',
    ),
  )
    .png()
    .toBuffer()

/** Where to look after a step, with which parameters, and what is there; first come other steps, or another picture. */
interface Look {
  readonly params?: object
  readonly at: readonly [x: number, y: number]
  readonly is: readonly number[]
  readonly before?: readonly object[]
  readonly of?: () => Promise<Buffer>
}

const looks: { readonly [Name in StepName]: readonly [Look, ...Look[]] } = {
  crop: [{ params: { x: 20, y: 10, width: 20, height: 20 }, at: [15, 15], is: BLUE }],
  resize: [{ params: { width: 30 }, at: [7, 5], is: ORANGE }],
  rotate: [{ params: { angle: 90 }, at: [35, 5], is: ORANGE }],
  flip: [{ at: [5, 35], is: ORANGE }],
  flop: [{ at: [55, 5], is: ORANGE }],
  trim: [{ at: [5, 5], is: ORANGE, before: [{ extend: { top: 10, left: 10, background: '#00ff00' } }] }],
  extend: [{ params: { top: 10, background: '#00ff00' }, at: [5, 5], is: [0, 255, 0] }],
  // A third of orange and two of blue reach the inner edge, from two sides.
  blur: [{ params: { sigma: 8 }, at: [30, 10], is: [129, 91, 55] }],
  // Brightness falls beside a brighter field.
  sharpen: [{ params: { sigma: 3, amount: 4 }, at: [31, 10], is: [0, 22, 50] }],
  grayscale: [{ at: [5, 5], is: [163, 163, 163] }],
  // By CIE Lab in double precision within 8: [209, 151, 101], [163, 163, 163], [0, 81, 0].
  tint: [
    { params: { color: '#704214' }, at: [5, 5], is: [205, 153, 109] },
    { params: { color: '#808080' }, at: [5, 5], is: [163, 163, 163] },
    { params: { color: '#0f0' }, at: [50, 35], is: [0, 80, 0] },
  ],
  // By CIE LCh in double precision.
  modulate: [
    { params: { saturation: 0 }, at: [5, 5], is: [163, 163, 163] },
    { params: { brightness: 0.5 }, at: [5, 5], is: [149, 40, 0] },
    { params: { hue: 180 }, at: [5, 5], is: [0, 190, 255] },
    { params: { hue: 40 }, at: [50, 35], is: [70, 56, 89] },
    { params: { lightness: 20 }, at: [50, 35], is: [83, 111, 147] },
    { params: { brightness: 1.5, saturation: 1.2 }, at: [50, 35], is: [57, 95, 136] },
  ],
  // 127.5 + 2 · (level − 127.5), and so on by the formulas of the rows.
  contrast: [
    { params: { amount: 100 }, at: [50, 35], is: [0, 1, 65] },
    { params: { amount: -100 }, at: [5, 5], is: [128, 128, 128] },
  ],
  gamma: [
    { params: { gamma: 2 }, at: [50, 35], is: [90, 128, 156] },
    { params: { gamma: 0.5 }, at: [50, 35], is: [4, 16, 36] },
  ],
  sepia: [
    { at: [50, 35], is: [80, 71, 55] },
    { params: { amount: 50 }, at: [50, 35], is: [56, 68, 76] },
  ],
  vibrance: [
    { params: { amount: -100 }, at: [50, 35], is: [40, 61, 83] },
    { params: { amount: 100 }, at: [5, 5], is: ORANGE },
  ],
  negate: [{ at: [5, 5], is: [0, 127, 255] }],
  // The block of 24 pixels from 24, 0 has 6 columns and 20 rows of orange.
  pixelate: [{ params: { size: 24 }, at: [47, 23], is: [78, 77, 76] }],
  opacity: [{ params: { percent: 50 }, at: [5, 5], is: [...ORANGE, 128] }],
  roundCorners: [
    { params: { radius: 10 }, at: [0, 0], is: [255, 128, 0, 0] },
    { params: { radius: 'max', background: '#00f' }, at: [2, 2], is: [0, 0, 255, 255] },
    { params: { radius: '25%' }, at: [5, 5], is: [...ORANGE, 255] },
  ],
  border: [
    { params: { width: 3, color: '#00ff00' }, at: [2, 20], is: [0, 255, 0] },
    { params: { width: 3, color: '#00ff00' }, at: [3, 10], is: ORANGE },
    { params: { width: 3, color: '#00ff0080' }, at: [1, 10], is: [127, 191, 0, 255] },
  ],
  background: [{ params: { color: '#00f' }, at: [59, 39], is: [0, 0, 255] }],
  watermark: [
    {
      params: { text: '█', color: '#00ff00', opacity: 100, scale: 1, position: 'center' },
      at: [30, 20],
      is: [0, 255, 0],
    },
    // The product, and the inverted product, of both colours.
    {
      params: { text: '█', color: '#808080', opacity: 100, scale: 1, position: 'center', blend: 'multiply' },
      at: [20, 18],
      is: [128, 64, 0],
    },
    {
      params: { text: '█', color: '#808080', opacity: 100, scale: 1, position: 'center', blend: 'screen' },
      at: [20, 18],
      is: [255, 192, 128],
    },
  ],
  removeBackground: [{ at: [5, 5], is: [0, 0, 0, 0], of: disk }],
  enhance: [{ params: { operation: 'upscale' }, at: [10, 10], is: ORANGE }],
}

for (const [name, places] of Object.entries(looks)) {
  for (const { params = {}, at, is, before = [], of } of places) {
    test(`${name} ${JSON.stringify(params)}: its pixels`, async () => {
      const { bytes } = await render(of ? await of() : source, [...before, { [name]: params }])
      const actual = (await pixel(bytes, ...at)).slice(0, is.length)
      assert.ok(near(actual, is), `${actual} instead of ${is}`)
    })
  }
}

for (const [name, row] of Object.entries<StepRow>(steps)) {
  test(`${name}: its row is complete, and its example is taken`, () => {
    assert.match(row.label, /^[A-Z]\S*(?: \S+){0,2}$/)
    assert.match(row.summary, /^[A-Z].*\.$/)
    assert.match(row.action.action, /^c2pa\./)
    recipeSchema.parse({ steps: [{ [name]: row.example }] })
  })
}

test('modulate changes nothing by the values that change nothing, and needs one', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  // Of so many shades, none is written as a palette.
  const grey = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080', noise } })
    .grayscale()
    .png()
    .toBuffer()
  const same = await render(source, [{ modulate: { brightness: 1, saturation: 1, hue: 360, lightness: 0 } }])
  for (const [x, y, expected] of [
    [5, 5, ORANGE],
    [50, 35, BLUE],
  ] as const)
    assert.ok(near(await pixel(same.bytes, x, y), expected))
  const lighter = await render(grey, [{ modulate: { lightness: 20 } }])
  assert.equal((await sharp(lighter.bytes).metadata()).channels, 1)
  assert.equal(recipeSchema.safeParse({ steps: [{ modulate: {} }] }).success, false)
})

test('tint and modulate keep transparency, and each frame', async () => {
  const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#20406080' } })
    .png()
    .toBuffer()
  for (const step of [{ tint: { color: '#704214' } }, { modulate: { saturation: 2 } }]) {
    const { bytes } = await render(clear, [step])
    assert.ok(Math.abs(((await pixel(bytes, 3, 3))[3] ?? 0) - 128) <= 1)
  }
})
