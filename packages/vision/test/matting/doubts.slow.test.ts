import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeBackground } from '../../src/matting/remove-background.ts'
import { type CutOut, testCutOut } from './cut-out.ts'
import { blue, bust, cross, disc, draw, grey, overlap, red, type Shade, type Shape, SIDE } from './drawings.ts'

/** The default of BG_MIN_CONFIDENCE. */
const LEAST = 0.7

const sky: Shade = () => [150, 190, 226]
const land: Shade = () => [70, 92, 50]
const sea: Shade = () => [58, 96, 150]
/** The ridge of a hill, and the waterline below it. */
const ridge = (x: number) => 84 + 8 * Math.sin(x / 19) + 5 * Math.sin(x / 7)
const shore = 140
const landscape =
  (below: Shade): Shade =>
  (x, y) =>
    (y < ridge(x) ? sky : y < shore ? land : below)?.(x, y) ?? [0, 0, 0]

/** The shade between black bars at opposite edges. */
const betweenBars =
  (shade: Shade, across: boolean): Shade =>
  (x, y) =>
    Math.abs((across ? y : x) - SIDE / 2) < 74 ? shade(x, y) : [0, 0, 0]

/** A wall with a window and a cupboard, and the floor. */
const room: Shade = (x, y) => {
  if (y > 150) return [110, 78, 52]
  if (x < 58 && y > 60) return [60, 44, 34]
  return x > 146 && y > 22 && y < 110 ? [236, 244, 250] : [190, 184, 160]
}

const refusals: readonly (readonly [name: string, shade: Shade])[] = [
  ['a strip of land between sky and sea', landscape(sea as Shade)],
  ['a strip of land in a sky above and below, as in fog', landscape(sky as Shade)],
  ['a meadow below a sky between black bars', betweenBars(landscape(land as Shade), true)],
  ['a landscape between bars on both sides', betweenBars(landscape(sea as Shade), false)],
  ['a cross from edge to edge', (x, y) => (cross(x, y) ? blue : grey)(x, y)],
  ['a disc in a room, where other things stand out as well', (x, y) => (disc(x, y) ? red : room)(x, y)],
]
for (const [name, shade] of refusals) {
  test(`is not sure of ${name}`, async () => {
    const { confidence } = await removeBackground(draw(() => false, grey, shade))
    assert.ok(confidence < LEAST, `confidence ${confidence}`)
  })
}

const box: Shape = (x, y) => x >= 44 && x < 150 && y >= 60 && y < 160
const cutOuts: readonly CutOut[] = [
  ['a box on a plain ground', box, blue, grey, 0.97],
  ['a portrait whose shoulders reach the lower edge', bust, red, grey, 0.95],
]
for (const row of cutOuts) testCutOut(row)

for (const [name, across] of [
  ['above and below', true],
  ['on both sides', false],
] as const) {
  test(`takes bars ${name} for neither subject nor background`, async () => {
    const shape: Shape = (x, y) => Math.hypot(x - 100, y - 96) < 52
    const cut = await removeBackground(
      draw(
        () => false,
        grey,
        betweenBars((x, y) => (shape(x, y) ? red : grey)(x, y), across),
      ),
    )
    assert.ok(overlap(cut, shape) > 0.95 && cut.confidence >= LEAST, `IoU ${overlap(cut, shape)}, confidence ${cut.confidence}`)
  })
}
