import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubtsAbout } from '../../src/matting/doubts.ts'
import { labOf } from '../../src/salience/lab.ts'
import { disc, grey, noisy, type Rgb, red, ring, type Shade, type Shape, SIDE } from './drawings.ts'

/** The doubts about a mask of this shape in a picture of these shades. */
function doubts(mask: Shape, shade: Shade, isPlain = true): number {
  const noise = noisy(3)
  const data = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3)
    return noise(shade(pixel % SIDE, Math.floor(pixel / SIDE))[at % 3] as number)
  })
  const lab = labOf({ data, width: SIDE, height: SIDE, channels: 3 })
  const cut = Uint8Array.from({ length: SIDE * SIDE }, (_, pixel) => (mask(pixel % SIDE, Math.floor(pixel / SIDE)) ? 1 : 0))
  return doubtsAbout(cut, lab, isPlain)
}

const before =
  (ground: Shade) =>
  (shape: Shape): Shade =>
  (x, y) =>
    (shape(x, y) ? red : ground)(x, y)
const onGrey = before(grey)

const shoulders: Shape = (x, y) => Math.hypot(x - 100, y - 80) < 40 || (y > 120 && Math.abs(x - 100) < y - 64)
const upright: Shape = (x) => Math.abs(x - 100) < 30
const lying: Shape = (_x, y) => Math.abs(y - 100) < 30
const shelf: Shape = (x, y) => y > 60 && y < 100 && (x < 150 || y < 90)

test('nothing is said against a subject on an even ground, also where edges of the picture cut it', () => {
  for (const shape of [disc, shoulders]) assert.equal(doubts(shape, onGrey(shape)), 0)
})

test('a strip from edge to edge is no subject', () => {
  for (const shape of [lying, upright, shelf]) assert.equal(doubts(shape, onGrey(shape)), 1)
})

test('a mask without anything, or with everything, is no subject', () => {
  assert.deepEqual([doubts(() => false, grey), doubts(() => true, grey)], [1, 1])
})

test('a texture is one ground; things are not', () => {
  const checkerboard: Shade = (x, y) => (((x >> 2) + (y >> 2)) % 2 ? [120, 150, 90] : [80, 110, 60])
  assert.ok(doubts(disc, before(checkerboard)(disc), false) < 0.05)
  const cupboard: Shade = (x, y) => (x < 40 || (x > 150 && y < 80) ? [60, 44, 34] : [190, 184, 160])
  assert.ok(doubts(disc, before(cupboard)(disc), false) > 0.3)
})

test('a ground may vary more before a subject that stands out more', () => {
  const wallWithPatch: Shade = (x, y) => (y > 150 && x < 120 ? [212, 206, 200] : [222, 222, 224])
  const pale: Rgb = [205, 209, 216]
  const paleDisc = (x: number, y: number): Rgb => (disc(x, y) ? pale : wallWithPatch(x, y))
  assert.ok(doubts(disc, before(wallWithPatch)(disc)) < 0.05)
  assert.ok(doubts(disc, paleDisc) > 0.2)
})

test('a part of the subject in the colour of the ground is doubtful', () => {
  assert.equal(doubts(ring, onGrey(ring)), 0)
  assert.ok(doubts(disc, onGrey(ring)) > 0.2)
})
