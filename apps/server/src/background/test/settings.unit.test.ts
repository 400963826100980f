import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readConfig } from '../../config.ts'

test('what is not set is as the documentation says', () => {
  const { BG_MONTHLY_LIMIT, BG_MIN_CONFIDENCE, BG_LOW_CONFIDENCE } = readConfig({})
  assert.deepEqual(BG_MONTHLY_LIMIT, { free: 50, pro: 500, team: 5_000, enterprise: null })
  assert.deepEqual([BG_MIN_CONFIDENCE, BG_LOW_CONFIDENCE], [0.7, 'refuse'])
})

const monthly = [
  ['100', { free: 100, pro: 100, team: 100, enterprise: 100 }],
  ['unlimited', { free: null, pro: null, team: null, enterprise: null }],
  ['0', { free: 0, pro: 0, team: 0, enterprise: 0 }],
  [' team=7 , enterprise=unlimited', { free: 0, pro: 0, team: 7, enterprise: null }],
  ['free:3', { free: 3, pro: 0, team: 0, enterprise: 0 }],
] as const
for (const [text, limits] of monthly)
  test(`BG_MONTHLY_LIMIT=${text} is ${JSON.stringify(limits)}`, () => {
    assert.deepEqual(readConfig({ BG_MONTHLY_LIMIT: text }).BG_MONTHLY_LIMIT, limits)
  })

for (const [text, number] of [
  ['0', 0],
  ['1', 1],
  ['1.0', 1],
  ['0.85', 0.85],
] as const)
  test(`BG_MIN_CONFIDENCE=${text} is ${number}`, () => {
    assert.equal(readConfig({ BG_MIN_CONFIDENCE: text }).BG_MIN_CONFIDENCE, number)
  })

const refusedValue = {
  BG_MONTHLY_LIMIT: ['-1', '1.5', 'many', 'gold=5', 'free=5,free=6', 'free', 'free=,', '9999999999', 'FREE=5'],
  BG_MIN_CONFIDENCE: ['-0.1', '1.1', '70', '70%', '.7', '0,7', 'high', 'NaN', '1e-1'],
  BG_LOW_CONFIDENCE: ['yes', 'Return', 'error'],
} as const
const why = {
  BG_MONTHLY_LIMIT: /must be a number, or like free=50,pro=500,team=5000,enterprise=unlimited/,
  BG_MIN_CONFIDENCE: /must be a number from 0 to 1, such as 0\.7/,
  BG_LOW_CONFIDENCE: /must be one of refuse, return/,
} as const
for (const [name, texts] of Object.entries(refusedValue))
  for (const text of texts)
    test(`${name}=${text} is refused in one sentence`, () => {
      assert.throws(
        () => readConfig({ [name]: text }),
        (error) => {
          assert.ok(error instanceof StartError)
          assert.match(error.message, why[name as keyof typeof why])
          assert.ok(error.message.startsWith(name))
          return true
        },
      )
    })
