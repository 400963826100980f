import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeBackground } from '../../src/matting/remove-background.ts'
import { draw, overlap, type Shade, type Shape, SIDE } from './drawings.ts'

/** A drawing whose subject is found; `least` is the intersection over union with the shape that was drawn. */
export type CutOut = readonly [name: string, shape: Shape, subject: Shade, background: Shade, least: number]

export function testCutOut([name, shape, subject, background, least]: CutOut): void {
  test(`cuts out ${name}, and is sure of it`, async () => {
    const cut = await removeBackground(draw(shape, subject, background))
    assert.deepEqual([cut.width, cut.height, cut.data.length], [SIDE, SIDE, SIDE * SIDE * 4])
    assert.ok(overlap(cut, shape) >= least, `IoU ${overlap(cut, shape)}`)
    assert.ok(cut.confidence >= 0.7, `confidence ${cut.confidence}`)
  })
}
