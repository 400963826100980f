import assert from 'node:assert/strict'
import { readGif } from '@pixelmill/codecs/gif/read-gif'
import { repack } from '@pixelmill/codecs/gif/repack'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import sharp from 'sharp'
import { run } from '../../../src/way-of-a-picture.ts'
import { type PlainFrame, plainGif } from '../../support/gif.ts'

/** Animations of every kind, and what must hold when they are packed again. */

export const WIDTH = 37
export const HEIGHT = 29
export const MAX_PIXELS = 1e6
export const random = randomFrom(5)
const paletteOf = (colours: number) => Array.from({ length: colours * 3 }, () => random(256))

export interface Kind {
  readonly colours?: number
  readonly local?: boolean
  readonly disposals?: readonly number[]
  readonly transparent?: boolean
  readonly interlaced?: boolean
}

/** Frames somewhere on the screen, in stripes and specks. */
export function animation({
  colours = 16,
  local = false,
  disposals = [1],
  transparent = false,
  interlaced = false,
}: Kind): Buffer {
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

export const kinds: Readonly<Record<string, Kind>> = {
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
export async function rawFrames(bytes: Buffer): Promise<Buffer> {
  const data = await sharp(bytes, { animated: true }).ensureAlpha().raw().toBuffer()
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 0) data.fill(0, at, at + 3)
  return data
}

export async function timing(bytes: Buffer) {
  const { pages, delay, loop, width, pageHeight } = await sharp(bytes, { animated: true }).metadata()
  return { pages, delay, loop, width, pageHeight }
}

/** Packs that many animations of a kind without loss. */
export async function packSame(kind: Kind, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const source = animation(kind)
    const file = readGif(source, MAX_PIXELS)
    assert.ok(file)
    const repackedFile = repack(file, 1 + (round % 5))
    assert.ok(repackedFile && repackedFile.length < source.length)
    assert.ok(!repackedFile.includes('secret'))
    assert.deepEqual(await timing(repackedFile), await timing(source))
    assert.deepEqual(await rawFrames(repackedFile), await rawFrames(source))
  }
}

/** Optimizes an animation of each kind, at a quality with loss and at one without. */
export async function optimizeEach(some: readonly Kind[]): Promise<void> {
  for (const kind of some) {
    const source = animation(kind)
    const before = await timing(source)
    for (const quality of [40, 100]) {
      const result = await run({ task: 'optimize', params: { quality } }, [source], { megapixels: 1_000 }, NO_PROGRAMS)
      const [bytes] = 'files' in result ? result.files : []
      assert.ok(bytes && bytes.length <= source.length)
      assert.deepEqual(await timing(bytes), before)
      if (quality === 100) assert.deepEqual(await rawFrames(bytes), await rawFrames(source))
    }
  }
}
