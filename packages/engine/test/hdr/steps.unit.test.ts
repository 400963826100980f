import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import type { StepRow } from '../../src/recipe/step.ts'
import { steps as table } from '../../src/recipe/steps/index.ts'
import { assertAlike, hdrJpeg, mapOf, NONE, quarters, withGainMap } from '../support/gain-maps.ts'
import { runTask } from '../support/run-task.ts'

/** A gain map follows its picture through every step. */

const source = await hdrJpeg()
const FULL = 255
const LEAST = 0

async function make(output: object, file = source) {
  const recipe = recipeSchema.parse({ outputs: [output] })
  const { files, report } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, file)
  return { bytes: files[0] ?? assert.fail(), hdr: report.outputs[0]?.hdr }
}

/** The samples in the middle of the quarters of the result. */
const moves = [
  ['resize', [{ resize: { width: 100 } }], [FULL, LEAST, NONE, NONE]],
  ['resize to more pixels', [{ resize: { width: 600 } }], [FULL, LEAST, NONE, NONE]],
  ['contain', [{ resize: { width: 480, height: 640, fit: 'contain' } }], [FULL, LEAST, NONE, NONE]],
  ['cover', [{ resize: { width: 60, height: 80, fit: 'cover' } }], [FULL, LEAST, NONE, NONE]],
  ['crop', [{ crop: { x: 0, y: 0, width: 120, height: 80 } }], [FULL, FULL, FULL, FULL]],
  ['crop of the right half', [{ crop: { x: 120, y: 0, width: 120, height: 160 } }], [LEAST, LEAST, NONE, NONE]],
  ['rotate by 90', [{ rotate: { angle: 90 } }], [NONE, FULL, NONE, LEAST]],
  ['rotate by 180', [{ rotate: { angle: 180 } }], [NONE, NONE, LEAST, FULL]],
  ['rotate by 270', [{ rotate: { angle: 270 } }], [LEAST, NONE, FULL, NONE]],
  ['flip', [{ flip: {} }], [NONE, NONE, FULL, LEAST]],
  ['flop', [{ flop: {} }], [LEAST, FULL, NONE, NONE]],
  ['enlarging', [{ enhance: { operation: 'upscale' } }], [FULL, LEAST, NONE, NONE]],
  ['several', [{ rotate: { angle: 90 } }, { flip: {} }, { resize: { width: 80 } }], [NONE, LEAST, NONE, FULL]],
] as const

/** Steps with tests of their own. */
const own: readonly string[] = [
  'trim',
  'extend',
  'watermark',
  'removeBackground',
  'grayscale',
  'pixelate',
  'opacity',
  'negate',
  'roundCorners',
  'border',
]

/** Every other step moves nothing: one that does belongs among the moves. */
const still = Object.entries<StepRow>(table)
  .filter(([name]) => !own.includes(name) && !moves.some(([, steps]) => steps.some((step) => name in step)))
  .map(([name, { example }]) => [name, [{ [name]: example }], [FULL, LEAST, NONE, NONE]] as const)

for (const [name, steps, expected] of [...moves, ...still])
  test(`${name}: the map is where its picture is`, async () => {
    const { bytes, hdr } = await make({ format: 'jpeg', steps })
    assert.equal(hdr, 'kept')
    assertAlike((await mapOf(bytes)).quarters, expected, name)
  })

test('what is around the picture has no gain', async () => {
  const { bytes } = await make({ format: 'jpeg', steps: [{ extend: { left: 240, background: '#ffffff' } }] })
  const map = await mapOf(bytes)
  assertAlike([map.at(0.1, 0.2), map.at(0.4, 0.2), map.at(0.6, 0.25), map.at(0.9, 0.25)], [NONE, NONE, FULL, LEAST])
})

test('what hides or inverts the picture leaves no gain, and edges leave that of the middle', async () => {
  const cases = [
    [{ pixelate: { size: 8 } }, [NONE, NONE, NONE, NONE]],
    [{ negate: {} }, [NONE, NONE, NONE, NONE]],
    [{ opacity: { percent: 0 } }, [NONE, NONE, NONE, NONE]],
    [{ roundCorners: { radius: 20 } }, [FULL, LEAST, NONE, NONE]],
    [{ border: { width: 4 } }, [FULL, LEAST, NONE, NONE]],
    [{ border: { width: 80 } }, [NONE, NONE, NONE, NONE]],
  ] as const
  for (const [step, expected] of cases) {
    const { bytes } = await make({ format: 'jpeg', steps: [step] })
    assertAlike((await mapOf(bytes)).quarters, expected, JSON.stringify(step))
  }
})

test('trim: the map loses the same border', async () => {
  const onWhite = await sharp({ create: { width: 240, height: 160, channels: 3, background: '#ffffff' } })
    .composite([{ input: await photo(120, 80).png().toBuffer(), left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer()
  // The border is right and below: trim takes its colour from the corner at the top left, so that the picture is turned before.
  const steps = [{ rotate: { angle: 180 } }, { trim: { threshold: 30 } }, { rotate: { angle: 180 } }]
  const { bytes } = await make(
    { format: 'jpeg', steps },
    withGainMap(
      onWhite,
      await sharp(await quarters(120, 80))
        .jpeg()
        .toBuffer(),
    ),
  )
  assertAlike((await mapOf(bytes)).quarters, [FULL, FULL, FULL, FULL])
})

test('where the background was removed there is no gain', async () => {
  const subject = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#a01010' } })
    .png()
    .toBuffer()
  const onWhite = await sharp({ create: { width: 240, height: 160, channels: 3, background: '#ffffff' } })
    .composite([{ input: subject, left: 60, top: 40 }])
    .jpeg({ quality: 95 })
    .toBuffer()
  const bright = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#ffffff' } })
    .toColourspace('b-w')
    .jpeg()
  const { bytes, hdr } = await make(
    { format: 'jpeg', steps: [{ removeBackground: {} }] },
    withGainMap(onWhite, await bright.toBuffer()),
  )
  assert.equal(hdr, 'kept')
  const map = await mapOf(bytes)
  assertAlike([map.at(0.05, 0.05), map.at(0.95, 0.5), map.at(0.5, 0.5)], [NONE, NONE, FULL])
})

test('an angle opens corners without gain, and keeps the middle', async () => {
  const { bytes } = await make({ format: 'jpeg', steps: [{ rotate: { angle: 45 } }] })
  const map = await mapOf(bytes)
  assertAlike([map.at(0.03, 0.03), map.at(0.97, 0.03), map.at(0.5, 0.25), map.at(0.75, 0.5)], [NONE, NONE, FULL, LEAST])
})

test('a watermark has as little gain as it is opaque', async () => {
  const mark = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  for (const [opacity, expected] of [
    [100, NONE],
    [50, Math.round((FULL + NONE) / 2)],
  ] as const) {
    const steps = [{ watermark: { image: 'mark', position: 'top-left', scale: 0.25, opacity } }]
    const recipe = recipeSchema.parse({ outputs: [{ format: 'jpeg', steps }] })
    const { files } = await runTask('recipe', { recipe, files: ['mark'], accepts: [], allows: [] }, source, mark)
    const map = await mapOf(files[0] ?? assert.fail())
    assertAlike([map.at(0.1, 0.1), map.at(0.4, 0.4)], [expected, FULL], `${opacity} %`)
  }
})

test('a photograph that is stored lying: the map is upright as the picture is', async () => {
  const lying = await photo(160, 240).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  // Stored as its picture: what is top left in the file is top right on the screen.
  const file = withGainMap(
    lying,
    await sharp(await quarters(80, 120))
      .jpeg({ quality: 95 })
      .toBuffer(),
  )
  const { bytes } = await make({ format: 'jpeg' }, file)
  const map = await mapOf(bytes)
  assert.deepEqual([map.width, map.height], [120, 80])
  assertAlike(map.quarters, [NONE, FULL, NONE, LEAST])
})
