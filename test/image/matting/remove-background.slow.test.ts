import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeBackground } from '../../../src/image/matting/remove-background.ts'
import { blue, bust, checked, disc, drawn, drifting, overlap, red, type Shade, type Shape, SIDE, striped } from './drawings.ts'

/** More subjects and backgrounds than those of remove-background.test.ts. */
const separable: readonly (readonly [name: string, Shape, subject: Shade, background: Shade, least: number])[] = [
  ['a disc on a gradient', disc, red, drifting, 0.97],
  ['a disc on a texture', disc, red, checked, 0.95],
  ['a disc of many colours', disc, striped, blue, 0.95],
  ['a bust that the lower edge cuts', bust, striped, drifting, 0.95],
]
for (const [name, shape, subject, background, least] of separable) {
  test(`cuts out ${name}, and is sure of it`, async () => {
    const cut = await removeBackground(drawn(shape, subject, background))
    assert.deepEqual([cut.width, cut.height, cut.data.length], [SIDE, SIDE, SIDE * SIDE * 4])
    assert.ok(overlap(cut, shape) >= least, `IoU ${overlap(cut, shape)}`)
    assert.ok(cut.confidence >= 0.7, `confidence ${cut.confidence}`)
  })
}
