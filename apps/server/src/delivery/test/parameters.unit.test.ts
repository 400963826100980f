import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { isRefusal } from '../../contract/api-error.ts'
import { parameters, readParameters } from '../parameters.ts'

const recipeOf = (query: string) => readParameters(query).recipe ?? assert.fail()
const output = (askedValue: object) => recipeSchema.parse({ outputs: [{ format: 'auto', ...askedValue }] })

const meanings: Readonly<Record<string, object>> = {
  '': {},
  'w=400': { steps: [{ resize: { width: 400, enlarge: false } }] },
  'h=300&f=jpg': { format: 'jpeg', steps: [{ resize: { height: 300, enlarge: false } }] },
  'w=400&h=300': { steps: [{ resize: { width: 400, height: 300, fit: 'inside', enlarge: false } }] },
  'w=400&h=300&fit=cover': { steps: [{ resize: { width: 400, height: 300, fit: 'cover', enlarge: false } }] },
  'w=400&h=300&g=north': { steps: [{ resize: { width: 400, height: 300, fit: 'cover', gravity: 'north', enlarge: false } }] },
  'w=400&h=300&g=0.3,0.6': {
    steps: [{ resize: { width: 400, height: 300, fit: 'cover', gravity: { x: 0.3, y: 0.6 }, enlarge: false } }],
  },
  'w=400&dpr=2': { dpr: 2, steps: [{ resize: { width: 400, enlarge: false } }] },
  'w=400&enlarge=1': { steps: [{ resize: { width: 400, enlarge: true } }] },
  'w=400&enlarge=0': { steps: [{ resize: { width: 400, enlarge: false } }] },
  'q=80': { quality: 80 },
  'effort=small': { effort: 'small' },
  'vq=70&max=20000&f=webp': { visualQuality: 70, maxBytes: 20_000, format: 'webp' },
  // In the order of the contract, not of the URL.
  'bg=fff&gray=1&sharpen=2&blur=3&w=9&flop=true&flip=1&rot=90': {
    steps: [
      { rotate: { angle: 90 } },
      { flip: {} },
      { flop: {} },
      { resize: { width: 9, enlarge: false } },
      { blur: { sigma: 3 } },
      { sharpen: { sigma: 2 } },
      { grayscale: {} },
      { background: { color: '#ffffff' } },
    ],
  },
  'round=max&bg=fff&pixelate=8&gray=1': {
    steps: [
      { grayscale: {} },
      { pixelate: { size: 8 } },
      { background: { color: '#ffffff' } },
      { roundCorners: { radius: 'max' } },
    ],
  },
  'round=20%25': { steps: [{ roundCorners: { radius: '20%' } }] },
  'round=12.5': { steps: [{ roundCorners: { radius: 12.5 } }] },
  'rot=0&flip=0&gray=false': {},
}
for (const [query, askedItem] of Object.entries(meanings))
  test(`means: ${query || '(nothing)'}`, () => assert.equal(canonical(recipeOf(query)), canonical(output(askedItem))))

test('a whole recipe, a preset, and a time', () => {
  const recipe = { steps: [{ trim: {} }], outputs: [{ format: 'webp' }] }
  const encodedText = Buffer.from(JSON.stringify(recipe)).toString('base64url')
  assert.deepEqual(recipeOf(`r=${encodedText}`), recipeSchema.parse(recipe))
  const { explain: _, ...preset } = readParameters('p=card&e=1900000000')
  assert.deepEqual(preset, { preset: 'card', expires: 1_900_000_000 })
})

const faults: Readonly<Record<string, readonly string[]>> = {
  'zoom=3': ['zoom'],
  'w=10&zoom=3&pan=2': ['zoom', 'pan'],
  'w=1&w=2': ['w'],
  'w=': ['w'],
  'w=0': ['w'],
  'w=1e3': ['w'],
  'w=10001': ['w'],
  'fit=cover': ['fit'],
  'g=north': ['g'],
  'dpr=2': ['dpr'],
  'enlarge=1': ['enlarge'],
  'w=5&enlarge=yes': ['enlarge'],
  'w=9000&dpr=2': ['w'],
  'w=10&h=10&g=middle': ['g'],
  'f=bmp': ['f'],
  'q=101': ['q'],
  'q=5&vq=70': ['vq'],
  'f=gif&max=5': ['max'],
  'blur=0.1': ['blur'],
  'pixelate=0': ['pixelate'],
  'round=most&pixelate=x': ['pixelate', 'round'],
  'flip=yes': ['flip'],
  'bg=red': ['bg'],
  'bg=%23fff': ['bg'],
  'p=A': ['p'],
  'p=a&w=10': ['w'],
  'p=a&r=e30': ['r'],
  'r=e30&q=5': ['q'],
  'r=%7B%7D': ['r'],
  'r=AAAA': ['r'],
  's=AAAA&w=10': ['s'],
  '__proto__=1': ['__proto__'],
}
for (const [query, names] of Object.entries(faults))
  test(`a fault is named: ${query}`, () =>
    assert.throws(
      () => readParameters(query),
      (error) => {
        assert.ok(isRefusal(error) && error.code === 'invalid_params')
        assert.deepEqual(
          error.issues?.map(({ path: [name] }) => name),
          names,
        )
        for (const name of names) assert.ok(error.message.includes(name), error.message)
        return true
      },
    ))

test('a recipe of several outputs is none for a URL', () => {
  const encodedText = Buffer.from(JSON.stringify({ outputs: [{ name: 'a' }, { name: 'b' }] })).toString('base64url')
  assert.throws(() => readParameters(`r=${encodedText}`), /one output/)
})

test('of a thousand unknown parameters twenty are named', () => {
  const query = Array.from({ length: 1_000 }, (_, n) => `x${n}=1`).join('&')
  assert.throws(
    () => readParameters(query),
    (error) => isRefusal(error) && error.issues?.length === 20,
  )
})

test('every parameter is tried above', () => {
  const triedTexts = Object.keys(meanings).flatMap((query) => [...new URLSearchParams(query).keys()])
  assert.deepEqual(
    Object.keys(parameters.shape).filter((name) => ![...triedTexts, 'fit', 'p', 'r', 'e'].includes(name)),
    [],
  )
})
