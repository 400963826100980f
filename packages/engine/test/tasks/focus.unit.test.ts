import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animatedGif, everyFormat, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { runTask } from '../support/run-task.ts'

const focusOf = async (file: Buffer) => {
  const { report, files } = await runTask('focus', {}, file)
  const [map = Buffer.alloc(0)] = files
  assert.deepEqual([files.length, map.length], [1, report.mapWidth * report.mapHeight])
  return { ...report, map }
}

/** A picture of one colour with a square of another, at a place given in its corners' fractions. */
const square = async (background: string, colour: string) => {
  const inner = await solid(100, 100, colour).png().toBuffer()
  return solid(600, 400, background).composite([{ input: inner, left: 400, top: 150 }])
}

/** Means of a map inside the square and outside of it. */
const contrast = ({ map, mapWidth, mapHeight }: Awaited<ReturnType<typeof focusOf>>) => {
  const sums = { inside: [0, 0], outside: [0, 0] }
  for (const [at, value] of map.entries()) {
    const x = ((at % mapWidth) + 0.5) / mapWidth
    const y = (Math.floor(at / mapWidth) + 0.5) / mapHeight
    const where = x > 4 / 6 && x < 5 / 6 && y > 3 / 8 && y < 5 / 8 ? sums.inside : sums.outside
    where[0] = (where[0] ?? 0) + value
    where[1] = (where[1] ?? 0) + 1
  }
  const [inside, outside] = [sums.inside, sums.outside].map(([sum = 0, count = 1]) => sum / count)
  return { inside: inside ?? 0, outside: outside ?? 0 }
}

const pairs: readonly (readonly [background: string, colour: string])[] = [
  ['#0000ff', '#ff0000'],
  ['#ffffff', '#d0d0d0'],
  ['#808080', '#907070'],
  ['#00000000', '#ffffffff'],
]
for (const [background, colour] of pairs) {
  test(`${colour} stands out from ${background}`, async () => {
    const { inside, outside } = contrast(await focusOf(await (await square(background, colour)).png().toBuffer()))
    assert.ok(inside > 100 && outside < inside / 8, `${inside} ${outside}`)
  })
}

test('a shade that drifts does not stand out, a thing in it does', async () => {
  const drift = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><linearGradient id="g"><stop stop-color="#113"/><stop offset="1" stop-color="#cde"/></linearGradient><rect width="600" height="400" fill="url(#g)"/><rect x="400" y="150" width="100" height="100" fill="#c40"/></svg>`
  const { inside, outside } = contrast(await focusOf(await sharp(Buffer.from(drift)).jpeg().toBuffer()))
  assert.ok(inside > 100 && outside < inside / 4, `${inside} ${outside}`)
})

test('of a picture of one colour nothing stands out', async () => {
  const { map } = await focusOf(await solid(300, 200, '#abcdef').png().toBuffer())
  assert.ok(map.every((value) => value === 0))
})

const shapes: readonly (readonly [width: number, height: number, mapWidth: number, mapHeight: number])[] = [
  [1, 1, 1, 1],
  [1, 9_000, 1, 256],
  [9_000, 2, 256, 1],
  [2, 2, 2, 2],
  [3, 40, 3, 40],
  [500, 400, 256, 205],
]
for (const [width, height, mapWidth, mapHeight] of shapes) {
  test(`the map of ${width} × ${height} has ${mapWidth} × ${mapHeight}`, async () => {
    const focus = await focusOf(await photo(width, height).png().toBuffer())
    assert.deepEqual([focus.width, focus.height, focus.mapWidth, focus.mapHeight], [width, height, mapWidth, mapHeight])
  })
}

test('every format has a map, as it is displayed', async () => {
  const turnedPhoto = await photo(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const grey = await photo(200, 300).grayscale().png().toBuffer()
  const deep = await photo(200, 300).toColourspace('rgb16').png().toBuffer()
  const cmyk = await photo(200, 300).toColourspace('cmyk').jpeg().toBuffer()
  for (const file of [turnedPhoto, grey, deep, cmyk]) {
    const { width, height, mapWidth, mapHeight } = await focusOf(file)
    assert.deepEqual([width, height, mapWidth, mapHeight], [200, 300, 171, 256])
  }
  for (const file of [...Object.values(await everyFormat()), await animatedGif(240, 160)]) {
    const { width, height } = await focusOf(file)
    assert.deepEqual([width, height], [240, 160])
  }
})
