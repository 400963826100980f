import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImageError, type Issue } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { recipeSchema } from '../../src/recipe/recipe.ts'

const flips = (count: number) => Array.from({ length: count }, () => ({ flip: {} }))
const outputs = (count: number) => Array.from({ length: count }, (_, nth) => ({ name: `o${nth}` }))

/** What is sent, and the places of the issues. */
const faulty: readonly (readonly [says: string, sent: unknown, paths: readonly (readonly (string | number)[])[]])[] = [
  ['no object', [], [[]]],
  ['an unknown key', { stepps: [] }, [['stepps']]],
  ['a key of every object', JSON.parse('{"__proto__": {"steps": []}}'), [['__proto__']]],
  ['a step without a name', { steps: [{}] }, [['steps', 0]]],
  ['a step with two names', { steps: [{ flip: {}, flop: {} }] }, [['steps', 0]]],
  [
    'an unknown step',
    { steps: [{ flip: {} }, { solarize: {} }] },
    [
      ['steps', 1, 'solarize'],
      ['steps', 1],
    ],
  ],
  ['an unknown parameter', { steps: [{ resize: { width: 1, widht: 1 } }] }, [['steps', 0, 'resize', 'widht']]],
  ['a parameter out of range', { steps: [{ flip: {} }, { resize: { width: 0 } }] }, [['steps', 1, 'resize', 'width']]],
  ['a resize without a side', { steps: [{ resize: {} }] }, [['steps', 0, 'resize']]],
  ['too many steps', { steps: flips(limits.recipe.steps + 1) }, [['steps']]],
  [
    'too many steps on the way to an output',
    { steps: flips(limits.recipe.steps), outputs: [{}, { name: 'b', steps: flips(1) }] },
    [['outputs', 1, 'steps']],
  ],
  ['no outputs', { outputs: [] }, [['outputs']]],
  ['too many outputs', { outputs: outputs(limits.recipe.outputs + 1) }, [['outputs']]],
  ['an output with the name of another', { outputs: [{ name: 'a' }, { name: 'a' }] }, [['outputs', 1, 'name']]],
  ['a name that is a path', { outputs: [{ name: 'a/b' }] }, [['outputs', 0, 'name']]],
  ['a name with a dot', { outputs: [{ name: '..' }] }, [['outputs', 0, 'name']]],
  ['an empty name', { outputs: [{ name: '' }] }, [['outputs', 0, 'name']]],
  ['a format that is not written', { outputs: [{ format: 'bmp' }] }, [['outputs', 0, 'format']]],
  ['two units of quality', { outputs: [{ format: 'jpeg', quality: 1, visualQuality: 50 }] }, [['outputs', 0, 'visualQuality']]],
  ['a score of PNG', { outputs: [{ format: 'png', visualQuality: 50 }] }, [['outputs', 0, 'visualQuality']]],
  [
    'a side that dpr makes too long',
    { outputs: [{ steps: [{ resize: { width: 9_000 } }], dpr: 2 }] },
    [['outputs', 0, 'steps', 0, 'resize', 'width']],
  ],
]

function issuesOf(recipe: unknown): readonly Issue[] {
  try {
    parseJson(recipeSchema, recipe)
    return []
  } catch (error) {
    assert.ok(error instanceof ImageError && error.code === 'invalid_params')
    return error.issues ?? []
  }
}

for (const [says, recipe, paths] of faulty) {
  test(`${says} is refused at its place`, () => {
    const issues = issuesOf(recipe)
    assert.deepEqual(
      issues.map(({ path }) => path),
      paths,
    )
    for (const { message } of issues) assert.match(message, /^[A-Z].{5,300}\.$/)
  })
}

test('the longest recipe that is allowed is accepted, and an empty one makes the same format', () => {
  const half = limits.recipe.steps / 2
  const most = {
    steps: flips(half),
    outputs: outputs(limits.recipe.outputs).map((output) => ({ ...output, steps: flips(half) })),
  }
  assert.deepEqual(issuesOf(most), [])
  const policies = { metadata: 'none', icc: 'srgb', hdr: 'keep' }
  const usual = { name: 'image', steps: [], format: 'same', dpr: 1, ...policies }
  assert.deepEqual(parseJson(recipeSchema, {}), { steps: [], outputs: [usual] })
})
