import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aliases, platforms } from '@pixelmill/engine/crops/platforms'
import { unknownPlatforms, wantedCrops } from '@pixelmill/engine/crops/wanted-crops'

const image = { width: 3_000, height: 2_000 }
const names = (askedRequest: Parameters<typeof wantedCrops>[0]) =>
  wantedCrops(askedRequest, image).map(({ platform }) => platform)

test('every preset and every other name has a size of a ratio that crops may have', () => {
  for (const name of [...Object.keys(platforms), ...Object.keys(aliases)]) {
    const [crop] = wantedCrops({ platforms: [name] }, image)
    assert.equal(crop?.platform, name)
    assert.ok(crop.ratio >= 1 / 20 && crop.ratio <= 20, name)
  }
})

test('nothing named: the examples of the specification', () => {
  const examples = ['instagram-square', 'twitter', 'facebook', 'youtube-thumbnail']
  assert.deepEqual(names({}), examples)
  assert.deepEqual(names({ platforms: [] }), examples)
})

test('each name is answered once, as it was asked, in its order', () => {
  assert.deepEqual(names({ platforms: ['X', 'twitter', ' x ', 'YouTube'] }), ['x', 'twitter', 'youtube'])
})

test('unknown names are named in the answer, alone or beside a known one or a ratio', () => {
  const beside = { platforms: ['nowhere', 'tiktok', 'constructor', 'nowhere'] }
  assert.deepEqual([names(beside), unknownPlatforms(beside)], [['tiktok'], ['nowhere', 'constructor']])
  const custom = { platforms: ['nowhere'], customRatio: { width: 3, height: 1 } }
  assert.deepEqual([names(custom), unknownPlatforms(custom)], [['custom'], ['nowhere']])
  const alone = { platforms: ['nowhere', ''] }
  assert.deepEqual([names(alone), unknownPlatforms(alone)], [[], ['nowhere', '']])
})

test('a ratio alone is the only crop, never larger than the image has it, nor than a large page', () => {
  const target = (width: number, height: number, of = image) =>
    wantedCrops({ customRatio: { width, height } }, of).map((crop) => crop.target)
  assert.deepEqual(target(3, 1), [{ width: 2_048, height: 683 }])
  assert.deepEqual(target(1, 1, { width: 300, height: 200 }), [{ width: 200, height: 200 }])
  assert.deepEqual(target(1, 20, { width: 5, height: 5 }), [{ width: 1, height: 5 }])
})
