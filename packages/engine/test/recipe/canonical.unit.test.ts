import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { canonical, recipeId, resultId } from '../../src/recipe/canonical.ts'
import { type Recipe, recipeSchema } from '../../src/recipe/recipe.ts'
import { randomRecipe } from '../support/random-recipes.ts'

const parse = (recipe: unknown): Recipe => recipeSchema.parse(recipe)
const idOf = (recipe: unknown) => recipeId(parse(recipe))

const RECIPES = 2_000

/** The same value with the keys of every object in another order. */
function shuffle(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffle(each, random))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [random(), key, shuffle(each, random)] as const)
  return Object.fromEntries(entries.toSorted(([one], [other]) => one - other).map(([, key, each]) => [key, each]))
}

test('the order of keys, defaults that are sent, and how numbers are written make no difference', () => {
  const random = seededRandom(1)
  for (let nth = 0; nth < RECIPES; nth++) {
    const recipe = randomRecipe(random)
    const id = idOf(recipe)
    assert.match(id, /^[0-9a-f]{64}$/)
    // The parsed recipe has every default.
    for (const other of [shuffle(recipe, random), parse(recipe), JSON.parse(canonical(parse(recipe)))]) {
      assert.equal(idOf(other), id, JSON.stringify(recipe))
    }
  }
  assert.equal(
    idOf({ steps: [{ resize: { width: 100 } }] }),
    idOf(JSON.parse('{"steps":[{"resize":{"width":1.0e2,"fit":"inside"}}]}')),
  )
})

test('different recipes have different ids', () => {
  const random = seededRandom(2)
  const recipes = new Map<string, Recipe>()
  for (let nth = 0; nth < RECIPES; nth++) {
    const recipe = parse(randomRecipe(random))
    const before = recipes.get(recipeId(recipe))
    assert.ok(!before || isDeepStrictEqual(before, recipe), JSON.stringify([before, recipe]))
    recipes.set(recipeId(recipe), recipe)
  }
  assert.ok(recipes.size > RECIPES / 2)
  const pairs = [
    [{ steps: [{ flip: {} }, { flop: {} }] }, { steps: [{ flop: {} }, { flip: {} }] }],
    [{ steps: [{ blur: { sigma: 1 } }] }, { steps: [{ blur: { sigma: 1.5 } }] }],
    [{ outputs: [{ quality: 75 }] }, { outputs: [{}] }],
    [{ outputs: [{ name: 'a' }, { name: 'b' }] }, { outputs: [{ name: 'b' }, { name: 'a' }] }],
  ]
  for (const [one, other] of pairs) assert.notEqual(idOf(one), idOf(other))
})

test('a result is the same whatever else is made, and whichever way its steps are said', () => {
  const ofOutput = (recipe: unknown, index = 0, source = 'a', files: readonly string[] = []) =>
    resultId(source, files, parse(recipe), index)
  const alone = { steps: [{ flip: {} }, { resize: { width: 200 } }], outputs: [{ format: 'webp' }] }
  const beside = {
    steps: [{ flip: {} }],
    outputs: [{ name: 'other' }, { name: 'it', steps: [{ resize: { width: 100 } }], dpr: 2, format: 'webp' }],
  }
  assert.equal(ofOutput(alone), ofOutput(beside, 1))
  assert.notEqual(ofOutput(beside, 0), ofOutput(beside, 1))
  assert.notEqual(ofOutput(alone), ofOutput(alone, 0, 'b'))
  assert.notEqual(ofOutput(alone), ofOutput(alone, 0, 'a', ['c']))
})
