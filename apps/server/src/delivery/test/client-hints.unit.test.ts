import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientHints } from '../client-hints.ts'
import { contentDpr } from '../content-dpr.ts'
import { readParameters } from '../parameters.ts'

const hintsOf = (headers: Readonly<Record<string, string>>) => clientHints((name) => headers[name])

const cases: readonly (readonly [headers: Readonly<Record<string, string>>, hints: object])[] = [
  [{}, {}],
  [
    { 'sec-ch-width': '600', 'sec-ch-dpr': '2' },
    { width: 640, dpr: 2 },
  ],
  [
    { width: '640', dpr: '1.25' },
    { width: 640, dpr: 1.5 },
  ],
  [{ 'sec-ch-dpr': '1', dpr: '3' }, { dpr: 1 }],
  [
    { 'sec-ch-width': '1', 'sec-ch-dpr': '0.5' },
    { width: 160, dpr: 1 },
  ],
  [
    { 'sec-ch-width': '99999', 'sec-ch-dpr': '17' },
    { width: 3_840, dpr: 3 },
  ],
  [{ 'sec-ch-width': '0', 'sec-ch-dpr': '-1' }, {}],
  [{ 'sec-ch-width': '1e3', 'sec-ch-dpr': 'NaN' }, {}],
  [{ 'sec-ch-width': '600, 700', 'sec-ch-dpr': '' }, {}],
]
test('hints are rounded up to a few sizes, and what is no number is none', () => {
  for (const [headers, hints] of cases) assert.deepEqual(hintsOf(headers), hints, JSON.stringify(headers))
})

test('a hint says only what the URL does not', () => {
  const hints = { width: 640, dpr: 2 }
  const outputOf = (query: string) => {
    const { recipe, hints: names } = readParameters(query, hints)
    const { steps = [], dpr } = recipe?.outputs[0] ?? {}
    return { width: steps[0]?.resize?.width, dpr, names }
  }
  assert.deepEqual(outputOf('f=webp'), { width: 640, dpr: 1, names: ['width'] })
  assert.deepEqual(outputOf('w=300'), { width: 300, dpr: 2, names: ['dpr'] })
  assert.deepEqual(outputOf('h=300'), { width: undefined, dpr: 2, names: ['dpr'] })
  assert.deepEqual(outputOf('w=300&dpr=1'), { width: 300, dpr: 1, names: [] })
  assert.throws(() => readParameters('dpr=2', hints), /Needs w, h or both/)
  assert.equal(readParameters('p=card', hints).hints, undefined)
})

const densities: readonly (readonly [query: string, width: number, height: number, density: string])[] = [
  ['w=400&dpr=2', 800, 600, '2'],
  ['w=400&dpr=2', 600, 450, '1.5'],
  ['w=400&h=400&dpr=2', 600, 300, '1.5'],
  // The original has fewer pixels than the box.
  ['w=400&dpr=2', 300, 200, '1'],
  ['w=400&dpr=0.5', 200, 150, '0.5'],
  ['w=200&h=100&fit=cover&dpr=3', 300, 150, '1.5'],
  ['w=200&h=100&fit=outside&dpr=2', 400, 300, '2'],
]
test('the density is that of the image', () => {
  for (const [query, width, height, density] of densities) {
    const { density: box } = readParameters(query)
    assert.ok(box)
    assert.equal(contentDpr(box, { width, height }), density, query)
  }
  assert.equal(readParameters('w=400').density, undefined)
})
