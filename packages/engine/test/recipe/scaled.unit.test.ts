import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { scaledRecipe } from '../../src/recipe/scaled.ts'
import type { StepRow } from '../../src/recipe/step.ts'
import { steps } from '../../src/recipe/steps/index.ts'
import { randomRecipe } from '../support/random-recipes.ts'

const rows = Object.entries(steps) as [string, StepRow][]

test('a recipe scaled by 1 stays as it is, and by a third is still a recipe', () => {
  const random = seededRandom(41)
  for (let nth = 0; nth < 300; nth++) {
    const recipe = recipeSchema.parse(randomRecipe(random))
    assert.deepEqual(scaledRecipe(recipe, 1), recipe)
    const smallRecipe = scaledRecipe(recipe, 1 / 3)
    assert.deepEqual(recipeSchema.parse(JSON.parse(JSON.stringify(smallRecipe))), JSON.parse(JSON.stringify(smallRecipe)))
  }
})

test('lengths are rounded down and never vanish', () => {
  const { steps: list } = scaledRecipe(
    recipeSchema.parse({
      steps: [{ crop: { x: 0, y: 2, width: 1001, height: 2 } }, { blur: { sigma: 4 } }, { blur: { sigma: 0.5 } }],
    }),
    0.25,
  )
  assert.deepEqual(list, [{ crop: { x: 0, y: 1, width: 250, height: 1 } }, { blur: { sigma: 1 } }])
})

test('the bytes of a target become fewer with the pixels', () => {
  const recipe = recipeSchema.parse({ outputs: [{ format: 'webp', maxBytes: 40_000 }] })
  assert.equal(scaledRecipe(recipe, 0.5).outputs[0]?.maxBytes, 10_000)
})

test('lengths are parameters of their steps; what looks at the whole picture for seconds has none', () => {
  const without = rows.filter(([, { lengths }]) => lengths === undefined).map(([name]) => name)
  assert.deepEqual(without, ['removeBackground', 'enhance'])
  for (const [name, { lengths = {}, params }] of rows) {
    const fields = Object.keys((params as unknown as { shape: object }).shape)
    for (const length of Object.keys(lengths)) assert.ok(fields.includes(length), `${name}.${length}`)
  }
})
