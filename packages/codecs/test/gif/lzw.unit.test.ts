import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactMatcher } from '../../src/gif/exact-coder.ts'
import { dictionary, encodeLzw } from '../../src/gif/lzw-encode.ts'
import { decodeLzw } from '../../src/gif/read-gif.ts'
import { randomFrom } from '../support/damage.ts'

/** What the sub-blocks of image data hold. */
function joinBlocks(data: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 1; data[at]; at += (data[at] ?? 0) + 1) parts.push(data.subarray(at + 1, at + 1 + (data[at] ?? 0)))
  return Buffer.concat(parts)
}

const random = randomFrom(3)
// One for all, as an encoder leaves it empty.
const strings = dictionary()
const noise = (pixels: number, colours: number, calm: number) => {
  let colour = 0
  return Uint8Array.from({ length: pixels }, () => {
    if (random(calm) === 0) colour = random(colours)
    return colour
  })
}

for (const minSize of [2, 3, 4, 5, 6, 7, 8]) {
  test(`codes of ${minSize} bits and more are read back, with a dictionary that is full several times`, () => {
    const colours = 1 << minSize
    let wereFull = 0
    for (const pixels of [1, 2, 3, colours, 1_000, 60_000]) {
      for (const calm of [1, 4, 40]) {
        const own = noise(pixels, colours, calm)
        for (const patience of [0, 1.1, 1e9]) {
          const choices = { own, free: new Uint8Array(pixels), transparent: -1, indices: colours }
          const { data, indices, wasFull } = encodeLzw(pixels, minSize, patience, strings, exactMatcher(choices, strings))
          assert.deepEqual(indices, own)
          assert.deepEqual(decodeLzw(joinBlocks(data), minSize, pixels), own)
          if (wasFull) wereFull++
        }
      }
    }
    assert.ok(wereFull >= 6)
  })
}

test('a pixel that is free is its own colour or transparent, no other is touched', () => {
  const own = noise(40_000, 15, 3)
  const free = own.map((_, at) => (at % 7 < 4 ? 1 : 0))
  const choices = { own, free, transparent: 15, indices: 16 }
  const { data, indices } = encodeLzw(own.length, 4, 0, strings, exactMatcher(choices, strings))
  assert.deepEqual(decodeLzw(joinBlocks(data), 4, own.length), indices)
  assert.ok(indices.every((index, at) => index === own[at] || (free[at] === 1 && index === 15)))
  assert.ok(indices.includes(15))
})

test('damaged codes are refused or read as some picture, never beyond it', () => {
  const own = noise(5_000, 60, 2)
  const choices = { own, free: new Uint8Array(own.length), transparent: -1, indices: 64 }
  const codes = joinBlocks(encodeLzw(own.length, 6, 0, strings, exactMatcher(choices, strings)).data)
  let refusals = 0
  for (let round = 0; round < 2_000; round++) {
    const copy = Buffer.from(codes)
    for (let change = 0; change < 3; change++) copy[random(copy.length)] = random(256)
    const read = decodeLzw(copy.subarray(0, random(2) ? copy.length : random(copy.length)), 6, own.length)
    if (read) assert.equal(read.length, own.length)
    else refusals++
  }
  assert.ok(refusals > 500)
})
