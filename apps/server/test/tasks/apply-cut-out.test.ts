import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chunk, numbers } from '@pixelmill/engine/test/support/png'
import sharp from 'sharp'
import { photograph } from '../support/external-remover.ts'
import { disc } from '../support/fake-remove-bg.ts'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())

const apply = (source: Buffer, answer: readonly Buffer[], format: 'png' | 'webp' = 'png') =>
  pool.run('applyCutOut', { format }, [[source], answer], new AbortController().signal)

const WIDTH = 360
const HEIGHT = 240
const picture = await photograph(WIDTH, HEIGHT)
const pixelsOf = (file: Buffer | undefined) => sharp(file).ensureAlpha().raw().toBuffer()
const pixelAt = (data: Buffer, x: number, y: number) => [...data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4)]

test('of an answer as large as the picture its pixels are taken, and colours that cannot be seen are cleared', async () => {
  // Green, so that it can be told from the picture's own.
  const answer = await disc(await sharp(picture).tint('#0f0').png().toBuffer())
  const { report, files } = await apply(picture, [await answer.clone().png().toBuffer()])
  assert.deepEqual(report, { width: WIDTH, height: HEIGHT })
  const givenBytes = await answer.raw().toBuffer()
  const madeBytes = await pixelsOf(files[0])
  for (let at = 0; at < madeBytes.length; at += 4) {
    const isHidden = givenBytes[at + 3] === 0
    assert.deepEqual([...madeBytes.subarray(at, at + 4)], isHidden ? [0, 0, 0, 0] : [...givenBytes.subarray(at, at + 4)])
  }
})

/** Mean difference of alpha, 0–255, to the disc itself, of all pixels and of those that the outline crosses. */
async function errors(madeBytes: Buffer) {
  const wantedBytes = await (await disc(picture)).raw().toBuffer()
  let sum = 0
  let mixedCount = 0
  let count = 0
  for (let at = 3; at < madeBytes.length; at += 4) {
    const error = Math.abs((madeBytes[at] as number) - (wantedBytes[at] as number))
    sum += error
    if (wantedBytes[at] !== 0 && wantedBytes[at] !== 255) mixedCount += error
    count++
  }
  return { all: sum / (madeBytes.length / 4), mixed: mixedCount / count }
}

for (const [name, width] of [
  ['a fifth', 72],
  ['half', 180],
  ['nearly all', 356],
  ['more than all', 540],
] as const)
  test(`an answer with ${name} of the sides gives the transparency alone; the colours are the picture's`, async () => {
    const small = await sharp(await (await disc(picture, { width })).png().toBuffer())
      .tint('#00f')
      .webp({ lossless: true })
      .toBuffer()
    const { report, files } = await apply(picture, [small])
    assert.deepEqual([report.fault, report.width, report.height], [undefined, WIDTH, HEIGHT])
    const madeBytes = await pixelsOf(files[0])
    const own = await pixelsOf(picture)
    assert.deepEqual([pixelAt(madeBytes, 5, 5), pixelAt(madeBytes, 180, 120)], [[0, 0, 0, 0], pixelAt(own, 180, 120)])
    const { all, mixed } = await errors(madeBytes)
    assert.ok(all < 0.6 && mixed < 40, `${all} ${mixed}`)
  })

test('parts in the colour of the wall stay where the service kept them', async () => {
  const bottle = await sharp(await photograph(WIDTH, HEIGHT))
    .tint('#fff')
    .linear(0, 246)
    .png()
    .toBuffer()
  const { files } = await apply(bottle, [await (await disc(bottle, { width: 90 })).png().toBuffer()])
  const madeBytes = await pixelsOf(files[0])
  const inside = [0, 36, 72].map((x) => pixelAt(madeBytes, 180 + x, 120))
  assert.deepEqual(inside, Array(3).fill([246, 246, 246, 255]))
})

test('nothing of the wall is left in the colours of an outline', async () => {
  const { files } = await apply(picture, [await (await disc(picture, { width: 180 })).png().toBuffer()])
  const madeBytes = await pixelsOf(files[0])
  let green = 0
  let count = 0
  for (let at = 0; at < madeBytes.length; at += 4) {
    if ((madeBytes[at + 3] as number) < 26 || madeBytes[at + 3] === 255) continue
    green += madeBytes[at + 1] as number
    count++
  }
  // The disc has 31 of green, the wall some 225.
  assert.ok(count > 180 && green / count < 60, `${green / count} of ${count}`)
})

test('the picture is upright, as the copy was, and WebP where it is wanted', async () => {
  const turnedBytes = await sharp(picture).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const answer = await (await disc(await sharp(turnedBytes).autoOrient().png().toBuffer())).png().toBuffer()
  const { files } = await apply(turnedBytes, [answer.subarray(0, 9), answer.subarray(9)], 'webp')
  const { format, width, height, hasAlpha } = await sharp(files[0]).metadata()
  assert.deepEqual([format, width, height, hasAlpha], ['webp', HEIGHT, WIDTH, true])
})

const cut = await (await disc(picture)).png().toBuffer()
const resizedCut = (width: number, height: number) => sharp(cut).resize(width, height, { fit: 'fill' }).png().toBuffer()
const givenTexts: readonly (readonly [what: string, fault: string | undefined, answer: () => Promise<Buffer>])[] = [
  ['nothing', 'unreadable', async () => Buffer.alloc(0)],
  ['text', 'unreadable', async () => Buffer.from('{"data":{"result_b64":""}}')],
  ['half a PNG', 'unreadable', async () => cut.subarray(0, cut.length / 2)],
  [
    'a picture of 100 megapixels',
    'unreadable',
    async () =>
      Buffer.concat([cut.subarray(0, 8), chunk('IHDR', numbers(10_000, 10_000), cut.subarray(24, 29)), cut.subarray(33)]),
  ],
  ['a JPEG', 'no-alpha', async () => sharp(cut).jpeg().toBuffer()],
  ['a PNG without alpha', 'no-alpha', () => sharp(cut).removeAlpha().png().toBuffer()],
  ['another shape', 'other-shape', () => resizedCut(360, 246)],
  ['the picture on its side', 'other-shape', () => resizedCut(240, 360)],
  ['all of the picture', 'all-opaque', () => sharp(picture).ensureAlpha(1).png().toBuffer()],
  ['nearly all of the picture', 'all-opaque', () => sharp(picture).ensureAlpha(0.99).png().toBuffer()],
  ['none of the picture', 'all-transparent', () => sharp(picture).ensureAlpha(0).png().toBuffer()],
  ['nearly none of the picture', 'all-transparent', () => sharp(picture).ensureAlpha(0.01).png().toBuffer()],
  ['a shape that is off by less than a hundredth', undefined, () => resizedCut(360, 242)],
  ['a palette', undefined, () => sharp(cut).png({ palette: true }).toBuffer()],
  ['16 bits', undefined, () => sharp(cut).toColourspace('rgb16').png().toBuffer()],
  ['an AVIF', undefined, () => sharp(cut).avif({ effort: 0, quality: 80 }).toBuffer()],
  ['grey with alpha', undefined, () => sharp(cut).toColourspace('b-w').png().toBuffer()],
]
for (const [what, fault, answer] of givenTexts)
  test(`an answer with ${what} ${fault ? `is ${fault}` : 'is taken'}`, async () => {
    const { report, files } = await apply(picture, [await answer()])
    assert.deepEqual([report.fault, files.length], [fault, fault ? 0 : 1])
  })

test('the shape of the smallest picture may be off by rounding', async () => {
  const tiny = await photograph(1_000, 11)
  const { report } = await apply(tiny, [await (await disc(tiny, { width: 100, height: 1 })).png().toBuffer()])
  assert.equal(report.fault, undefined)
})
