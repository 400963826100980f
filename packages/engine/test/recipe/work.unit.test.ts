import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { planRecipe } from '../../src/recipe/plan.ts'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { checkWork } from '../../src/tasks/estimate.ts'
import { runTask } from '../support/run-task.ts'

/** What steps cost together is planned, and refused before anything is decoded. */

const png = await photo(40, 40).png().toBuffer()
const header = await readHeader(png)

/** Of a PNG of these sides, and further files of these megapixels. */
function check(recipe: unknown, side = 40, files: Readonly<Record<string, number>> = {}) {
  const doors = { files: Object.keys(files), accepts: [], allows: [] }
  const source = { ...header, width: side, height: side }
  const plan = planRecipe(recipeSchema.parse(recipe), source, doors, NO_PROGRAMS)
  checkWork(plan, { header: source, frames: 1, bytes: 1_000, weight: 80, others: Object.values(files) })
}

const times = <Value>(count: number, ...values: readonly Value[]) => Array.from({ length: count }, () => values).flat()
const outputs = (count: number, steps: readonly object[]) => times(count, steps).map((_, nth) => ({ name: `o${nth}`, steps }))
const to = (width: number, more: object = {}) => ({ resize: { width, ...more } })

const refusals: readonly (readonly [what: string, ...Parameters<typeof check>])[] = [
  ['enlarged and reduced again, ten times', { steps: times(10, to(10_000), to(1)) }],
  ['enlarged and reduced again, in the steps of one output', { outputs: [{ steps: times(10, to(10_000), to(1)) }] }],
  ['enlarged by each of twenty outputs', { outputs: outputs(20, [to(8_000), to(1)]) }],
  ['enlarged once, which is done again for each output', { steps: [to(8_000)], outputs: outputs(12, [to(10)]) }],
  ['decoded and blurred again for each output', { steps: [{ blur: { sigma: 30 } }], outputs: outputs(20, [to(9)]) }, 8_900],
  [
    'a border that is blurred and cut off',
    {
      steps: times(
        5,
        { extend: { right: 9_000, bottom: 9_000 } },
        { blur: { sigma: 100 } },
        { crop: { x: 0, y: 0, width: 1, height: 1 } },
      ),
    },
  ],
  ['a large picture that is sharpened again and again', { steps: times(20, { sharpen: {} }) }, 8_000],
  [
    'a large picture whose subject is sought for each of twenty outputs',
    { outputs: outputs(20, [{ crop: { width: 99, height: 99, gravity: 'subject' } }]) },
    8_000,
  ],
  ['a large watermark that is decoded in each step', { steps: times(20, { watermark: { image: 'mark' } }) }, 40, { mark: 40 }],
  [
    'a large watermark that each output decodes',
    { outputs: outputs(20, times(10, { watermark: { image: 'mark' } })) },
    40,
    { mark: 20 },
  ],
  ['large texts', { steps: [to(8_000), ...times(4, { watermark: { text: 'M', scale: 1, stroke: '#000' } })] }],
  [
    'long texts on a small picture, of twenty outputs',
    { outputs: outputs(20, times(20, { watermark: { text: 'M'.repeat(500) } })) },
    1_000,
  ],
  ['enhanced again and again', { steps: [to(8_000), ...times(8, { enhance: {} })] }],
  ['cut out again and again', { steps: [to(8_000), ...times(15, { removeBackground: {} })] }],
]
for (const [what, ...call] of refusals)
  test(`refused: ${what}`, () => {
    assert.throws(() => check(...call), { code: 'image_too_large', message: /would take about \d+ seconds of a processor core/ })
  })

const possible: readonly (readonly [what: string, ...Parameters<typeof check>])[] = [
  ['the largest picture, enhanced', { steps: [{ enhance: {} }] }, 8_900],
  ['enlarged to the largest picture', { steps: [to(8_900)] }],
  [
    'the largest picture, turned, reduced and marked',
    { steps: [{ rotate: { angle: 90 } }, to(2_000), { watermark: { text: 'Shop' } }] },
    8_900,
  ],
  ['twenty sizes of a photograph of 48 megapixels', { outputs: outputs(20, [to(1_200)]) }, 6_900],
  ['twenty steps on a photograph of 12 megapixels', { steps: times(10, { flip: {} }, { blur: { sigma: 3 } }) }, 3_500],
]
for (const [what, ...call] of possible) test(`possible: ${what}`, () => check(...call))

test('the limits are those of the table', () => {
  const { output, together } = limits.recipe.seconds
  const flips = (count: number) => check({ steps: times(count, { blur: { sigma: 100 } }) }, 5_000)
  // A blur of sigma 100 takes 2.5 s for 25 megapixels, and 0.25 from the second on; decoding a PNG 0.25.
  const most = Math.floor(output / 2.75)
  flips(most)
  assert.throws(() => flips(most + 1), { message: new RegExp(`at most ${output} are possible`) })
  const shares = (count: number) => check({ outputs: outputs(count, times(4, { blur: { sigma: 100 } })) }, 5_000)
  shares(Math.floor(together / 10.75))
  assert.throws(() => shares(Math.ceil(together / 10.75)), { message: new RegExp(`at most ${together} are possible`) })
})

test('a renderer refuses it from the header alone, whatever is behind', async () => {
  const recipe = recipeSchema.parse({ steps: times(10, to(10_000), to(1)), outputs: [{ format: 'png' }] })
  const cut = png.subarray(0, 200)
  await assert.rejects(runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, cut), { code: 'image_too_large' })
})

test('outputs may have exactly the megapixels that are possible together, and none more', () => {
  const sides = [8_000, 8_000, 1]
  const outputs = sides.map((side, nth) => ({
    name: `o${nth}`,
    format: 'jpeg',
    steps: [{ resize: { width: side, height: side === 1 ? 1 : 10_000, fit: 'fill' } }],
  }))
  const plan = (count: number) =>
    planRecipe(
      recipeSchema.parse({ outputs: outputs.slice(0, count) }),
      header,
      { files: [], accepts: [], allows: [] },
      NO_PROGRAMS,
    )
  assert.equal(limits.recipe.megapixels, 160)
  assert.doesNotThrow(() => plan(2))
  assert.throws(() => plan(3), { code: 'image_too_large', message: /together/ })
})
