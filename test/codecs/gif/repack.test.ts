import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { readGif } from '../../../src/codecs/gif/read-gif.ts'
import { repack, repackNear } from '../../../src/codecs/gif/repack.ts'
import { run } from '../../../src/tasks/run.ts'
import { damaged, seeded } from '../../support/damage.ts'
import { type PlainFrame, plainGif } from '../../support/gif.ts'

const [WIDTH, HEIGHT] = [37, 29]
const MAX_PIXELS = 1e6
const random = seeded(5)
const paletteOf = (colours: number) => Array.from({ length: colours * 3 }, () => random(256))

interface Kind {
  readonly colours?: number
  readonly local?: boolean
  readonly disposals?: readonly number[]
  readonly transparent?: boolean
  readonly interlaced?: boolean
}

/** Frames somewhere on the screen, in stripes and specks. */
function animation({ colours = 16, local = false, disposals = [1], transparent = false, interlaced = false }: Kind): Buffer {
  const frames = Array.from({ length: 7 }, (_, number): PlainFrame => {
    const [left, top] = number === 0 ? [0, 0] : [random(WIDTH), random(HEIGHT)]
    const [width, height] = number === 0 ? [WIDTH, HEIGHT] : [1 + random(WIDTH - left), 1 + random(HEIGHT - top)]
    const indices = Array.from({ length: width * height }, (_, at) => (random(5) === 0 ? random(colours) : (at >> 3) % colours))
    const own = local && number % 2 === 1 ? { palette: paletteOf(colours) } : {}
    const see = transparent ? { transparent: random(colours) } : {}
    return { left, top, width, height, indices, disposal: disposals[number % disposals.length] ?? 1, interlaced, ...own, ...see }
  })
  return plainGif(WIDTH, HEIGHT, paletteOf(colours), frames)
}

const kinds: Readonly<Record<string, Kind>> = {
  'one palette': {},
  'two colours': { colours: 2 },
  '256 colours': { colours: 256 },
  'palettes of their own': { local: true },
  'large palettes of their own': { local: true, colours: 256 },
  'transparent pixels': { transparent: true },
  'frames that are cleared': { transparent: true, disposals: [2] },
  'frames that are taken back': { transparent: true, disposals: [1, 3] },
  'opaque frames that are taken back': { disposals: [1, 3] },
  'every disposal, palettes of their own': { transparent: true, local: true, colours: 64, disposals: [1, 2, 3, 0] },
  'interlaced rows': { interlaced: true, transparent: true },
}

/** As libvips shows it; what is transparent has no colour. */
async function shown(bytes: Buffer): Promise<Buffer> {
  const data = await sharp(bytes, { animated: true }).ensureAlpha().raw().toBuffer()
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 0) data.fill(0, at, at + 3)
  return data
}

async function timing(bytes: Buffer) {
  const { pages, delay, loop, width, pageHeight } = await sharp(bytes, { animated: true }).metadata()
  return { pages, delay, loop, width, pageHeight }
}

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: every frame looks the same when it is packed anew, and lasts as long`, async () => {
    for (let round = 0; round < 8; round++) {
      const source = animation(kind)
      const file = readGif(source, MAX_PIXELS)
      assert.ok(file)
      const packed = repack(file, 1 + (round % 5))
      assert.ok(packed && packed.length < source.length)
      assert.ok(!packed.includes('secret'))
      assert.deepEqual(await timing(packed), await timing(source))
      assert.deepEqual(await shown(packed), await shown(source))
    }
  })

  test(`${name}: packed with loss, no pixel leaves its tolerance, and what is transparent stays so`, async () => {
    for (const tolerance of [1, 8, 40]) {
      const source = animation(kind)
      const file = readGif(source, MAX_PIXELS)
      assert.ok(file)
      const packed = repackNear(file, tolerance)
      if (!packed) continue
      assert.deepEqual(await timing(packed), await timing(source))
      const [before, after] = [await shown(source), await shown(packed)]
      for (let at = 0; at < before.length; at += 4) {
        const luma = (data: Buffer) => 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
        assert.equal(after[at + 3], before[at + 3])
        assert.ok(Math.abs(luma(before) - luma(after)) <= 2.5 * tolerance)
      }
    }
  })
}

test('more tolerance makes fewer bytes', () => {
  const file = readGif(animation({ colours: 200 }), MAX_PIXELS)
  assert.ok(file)
  const sizes = [1, 20, 60].map((tolerance) => repackNear(file, tolerance)?.length ?? 0)
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  )
  assert.ok((sizes[2] ?? 0) < (sizes[0] ?? 0) * 0.9)
})

test('damaged files are refused or packed, never thrown at', () => {
  const sources = [animation({ transparent: true, local: true, disposals: [1, 2, 3] }), animation({ interlaced: true })]
  let refused = 0
  for (let round = 0; round < 1_500; round++) {
    const copy = damaged(sources[round % 2] ?? Buffer.alloc(0), random, 80)
    const file = readGif(copy, MAX_PIXELS)
    if (!file) refused++
    else assert.ok((round % 3 === 0 ? repackNear(file, 9) : repack(file, 2)) !== null)
  }
  assert.ok(refused > 300 && refused < 1_500)
})

test('a frame without a graphic control lasts as long as before, and so does one of no duration', async () => {
  for (const delay of [undefined, 0]) {
    const source = plainGif(
      4,
      4,
      [9, 9, 9, 200, 0, 0],
      [
        { left: 0, top: 0, width: 4, height: 4, indices: new Array<number>(16).fill(1), delay },
        { left: 1, top: 1, width: 2, height: 2, indices: [0, 0, 0, 1], delay },
      ],
    )
    const file = readGif(source, MAX_PIXELS)
    const packed = file && repack(file, 5)
    assert.ok(packed)
    assert.deepEqual(await timing(packed), await timing(source))
    assert.deepEqual(await shown(packed), await shown(source))
  }
})

test('what has more pixels than allowed is not read', () => {
  assert.equal(readGif(animation({}), WIDTH * HEIGHT * 7 - 1), undefined)
  assert.ok(readGif(animation({}), WIDTH * HEIGHT * 7))
})

test('optimize is never larger, keeps every frame, and changes no pixel at 100', async () => {
  for (const kind of Object.values(kinds)) {
    const source = animation(kind)
    const before = await timing(source)
    for (const quality of [40, 100]) {
      const result = await run({ task: 'optimize', params: { quality } }, [source], { megapixels: 1_000 }, 'none')
      const [bytes] = 'files' in result ? result.files : []
      assert.ok(bytes && bytes.length <= source.length)
      assert.deepEqual(await timing(bytes), before)
      if (quality === 100) assert.deepEqual(await shown(bytes), await shown(source))
    }
  }
})
