import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { byteCount, CHOICES } from '../src/commands/options.ts'
import { progressLine } from '../src/convert/progress.ts'
import { defaultName, resultName } from '../src/files/result-name.ts'
import { bytesText, durationText, nameText, savedText } from '../src/format.ts'
import { type RecipeFlags, recipeOfFlags } from '../src/recipe-flags.ts'

interface Schema {
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The recipe as JSON Schema, at this path of properties and items. */
function schemaAt(...path: readonly string[]): Schema {
  const whole = z.toJSONSchema(recipeSchema, { io: 'input' }) as Schema
  return path.reduce<Schema>(
    (schema, name) => (name === '[]' ? schema.items : schema.properties?.[name]) ?? assert.fail(name),
    whole,
  )
}

const places = {
  fit: ['steps', '[]', 'resize', 'fit'],
  format: ['outputs', '[]', 'format'],
  metadata: ['outputs', '[]', 'metadata'],
  effort: ['outputs', '[]', 'effort'],
} as const satisfies Readonly<Record<keyof typeof CHOICES, readonly string[]>>

for (const [option, path] of Object.entries(places))
  test(`--${option} offers what a recipe takes there`, () => {
    const choices: readonly string[] = CHOICES[option as keyof typeof CHOICES]
    const enumValues = schemaAt(...path).enum ?? []
    assert.deepEqual(
      enumValues.filter((value) => !choices.includes(value)),
      [],
    )
    // Those that are not in the schema are other names of those that are.
    for (const choice of choices) {
      const recipe = recipeOfFlags({ [option]: choice, ...(option === 'fit' && { width: '1' }) })
      const [value] = JSON.stringify(recipe).match(new RegExp(`(?<="${option}":")[^"]*`)) ?? []
      assert.ok(enumValues.includes(value ?? ''), choice)
    }
  })

const RECIPES: readonly (readonly [flags: RecipeFlags, recipe: object])[] = [
  [{}, {}],
  [{ format: 'webp' }, { outputs: [{ format: 'webp' }] }],
  [
    { width: '1600', format: 'avif' },
    { steps: [{ resize: { width: 1600, enlarge: false } }], outputs: [{ format: 'avif' }] },
  ],
  [{ width: '9', enlarge: true }, { steps: [{ resize: { width: 9 } }] }],
  [
    { widths: '9, 20,9', format: 'avif,webp', quality: '50' },
    {
      outputs: [
        { name: '9-avif', format: 'avif', quality: 50, steps: [{ resize: { width: 9, enlarge: false } }] },
        { name: '20-avif', format: 'avif', quality: 50, steps: [{ resize: { width: 20, enlarge: false } }] },
        { name: '9-webp', format: 'webp', quality: 50, steps: [{ resize: { width: 9, enlarge: false } }] },
        { name: '20-webp', format: 'webp', quality: 50, steps: [{ resize: { width: 20, enlarge: false } }] },
      ],
    },
  ],
  [
    { width: '9', format: 'avif,jpg' },
    {
      steps: [{ resize: { width: 9, enlarge: false } }],
      outputs: [
        { name: 'avif', format: 'avif' },
        { name: 'jpg', format: 'jpeg' },
      ],
    },
  ],
  [
    { width: '10', height: '20', fit: 'cover', gravity: '0.2,0.9' },
    { steps: [{ resize: { width: 10, height: 20, fit: 'cover', gravity: { x: 0.2, y: 0.9 }, enlarge: false } }] },
  ],
  [{ quality: '75', metadata: 'all' }, { outputs: [{ quality: 75, metadata: 'all' }] }],
  [{ format: 'jpeg', visualQuality: '80' }, { outputs: [{ format: 'jpeg', visualQuality: 80 }] }],
  [{ format: 'jpg', maxBytes: '50000' }, { outputs: [{ format: 'jpeg', maxBytes: 50_000 }] }],
]
for (const [flags, recipe] of RECIPES)
  test(`${JSON.stringify(flags)} is ${JSON.stringify(recipe)}`, () => {
    assert.equal(canonical(recipeOfFlags(flags)), canonical(recipeSchema.parse(recipe)))
  })

const REFUSALS: readonly (readonly [flags: RecipeFlags, message: RegExp])[] = [
  [{ width: 'wide' }, /^--width: /],
  [{ width: '0' }, /^--width: /],
  [{ height: '1e9' }, /^--height: /],
  [{ fit: 'cover' }, /^--width, --height: /],
  [{ width: '10', gravity: 'up' }, /^--gravity: /],
  [{ widths: '10,wide' }, /^--widths: /],
  [{ widths: '' }, /^--widths: /],
  [{ widths: '1,2,3,4,5,6,7', format: 'avif,webp,jpeg' }, /^--widths, --format: /],
  [{ widths: '10', width: '10' }, /^--widths has all widths/],
  [{ enlarge: true }, /^--enlarge is for /],
  [{ format: 'webp,gid' }, /^--format: /],
  [{ quality: '0' }, /^--quality: /],
  [{ format: 'webp', quality: '101' }, /^--quality: /],
  [{ format: 'png', maxBytes: '-1' }, /^--max-bytes: /],
  [{ format: 'webp', visualQuality: 'good' }, /^--visual-quality: /],
  [{ format: 'webp', quality: '50', visualQuality: '80' }, /^--(quality|visual-quality): /],
]
for (const [flags, message] of REFUSALS)
  test(`${JSON.stringify(flags)} is refused by the name of its option`, () => {
    assert.throws(
      () => recipeOfFlags(flags),
      (error) => error instanceof InvalidArgumentError && message.test(error.message) && !/undefined/.test(error.message),
    )
  })

test('names of results keep folders, and cannot lead out of the target', () => {
  const parts = {
    path: 'a/b.c/photo.2.JPG',
    output: 'small',
    several: true,
    extension: 'webp',
    format: 'webp',
    width: 9,
    height: 6,
    id: 'ff',
  }
  const nameOf = (template: string, more = {}) => resultName(template, 'output').of({ ...parts, ...more })
  assert.equal(nameOf('{dir}/{stem}{-output}.{ext}'), 'a/b.c/photo.2-small.webp')
  assert.equal(nameOf('{output}/{stem}.{source}.{ext}'), 'small/photo.2.jpg.webp')
  assert.equal(nameOf('/{id}.{ext}'), 'ff.webp')
  assert.equal(nameOf('{dir}/{stem}{-output}.{ext}', { path: '.jpg' }), '.jpg-small.webp')
  for (const path of ['../x.jpg', 'a/../../x.jpg', 'a\0.jpg', 'a\ufffd.jpg'])
    assert.throws(() => nameOf('{dir}/{stem}{-output}.{ext}', { path }), { code: 'invalid_name' })
  assert.equal(nameOf('{dir}/{width}x{height}/{stem}-{format}{-output}.{ext}'), 'a/b.c/9x6/photo.2-webp-small.webp')
  for (const template of ['{stem}', '{stem}.{ext}', '{stem}-{width}.{ext}', '{stem}-{size}{-output}.{ext}'])
    assert.throws(() => resultName(template, 'output'), InvalidArgumentError)
  assert.throws(() => resultName('{stem}.{ext}', 'width'), InvalidArgumentError)
  assert.equal(resultName(defaultName('width'), 'width').of(parts), 'a/b.c/photo.2-9.webp')
  assert.equal(resultName('{stem}.{ext}', 'none').of(parts), 'photo.2.webp')
})

for (const [text, bytes] of [
  ['200000', '200000'],
  ['200kB', '200000'],
  ['200KB', '200000'],
  ['200 k', '200000'],
  ['1.5MB', '1500000'],
  ['1KiB', '1KiB'],
  ['-5', '-5'],
] as const)
  test(`--max-bytes ${text} is ${bytes}`, () => assert.equal(byteCount(text), bytes))

test('numbers are short, and names stay in one line', () => {
  assert.deepEqual([0, 999, 1000, 18_400, 1.24e9].map(bytesText), ['0 B', '999 B', '1 kB', '18 kB', '1.2 GB'])
  assert.deepEqual([0.04, 59.6, 200, 7500].map(durationText), ['0.0 s', '60 s', '3 min 20 s', '2 h 5 min'])
  assert.deepEqual([savedText(100, 26), savedText(100, 150), savedText(0, 1)], ['74 % smaller', '50 % larger', 'the same size'])
  assert.equal(nameText('a\nb\x1b[31m"é.jpg'), 'a\\x0ab\\x1b[31m"é.jpg')
})

test('the line of progress is shorter than the terminal is wide, and drops the least important first', () => {
  const totals = { done: 1200, unchanged: 30, failed: 4, inputBytes: 9e9, outputBytes: 2e9 }
  for (let columns = 20; columns < 200; columns++) {
    const line = progressLine(totals, 100_000, 142.3, columns)
    assert.ok(line.length < columns, `${line.length} of ${columns}: ${line}`)
    assert.match(line, /1 % {2}1,234\/100,000/)
  }
  assert.match(progressLine(totals, 100_000, 142.3, 120), /left {2}142\/s {2}4 failed {2}7 GB saved$/)
  assert.match(progressLine(totals, undefined, undefined, 80), /^1,234 images/)
})
