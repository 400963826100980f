import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '../src/index.ts'
import { photo } from './support/pictures.ts'

/** Of the box av1C, AV1-ISOBMFF §2.3.3: whether chroma has half the resolution each way. */
function hasHalfChroma(avif: Buffer): boolean {
  const at = avif.indexOf('av1C')
  assert.ok(at > 0)
  return ((avif[at + 6] ?? 0) & 0b1100) === 0b1100
}

test('a large AVIF is written with half the chroma, for which the memory of a renderer is enough', async () => {
  for (const [quality, megapixels, half] of [
    [90, 12, false],
    [90, 48, false],
    [90, 80, true],
    [75, 12, true],
  ] as const) {
    const { bytes } = await codecs.avif.encode(photo(64, 48), { quality, megapixels, animation: undefined })
    assert.equal(hasHalfChroma(bytes), half, `${quality} ${megapixels}`)
  }
})
