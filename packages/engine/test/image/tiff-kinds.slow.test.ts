import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import { isNight } from '@pixelmill/codecs/test/support/at-night'
import { baseline, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import sharp from 'sharp'
import { expected, type Kind, plain, points, size, tiffOfKind } from '../support/tiff-kinds.ts'

/** Every combination of colours, compression, planes, tiles, depth and the rest: each is opened, and shows the right colours. */

const one = <Value>(...values: readonly Value[]): readonly Value[] => values
const layouts = [false, true].flatMap((planar) => [false, true].map((isTiled) => ({ planar, tiled: isTiled })))
const subsamplings = one<Kind['subsampling']>([1, 1], [2, 1], [2, 2], [1, 2], [4, 1], [4, 2], [4, 4])

/** Depths, and which numbers they are. */
const numbers: Readonly<Record<Kind['photometric'], readonly (readonly [bits: number, format?: Kind['format']])[]>> = {
  whiteIsZero: [[1], [2], [4], [6], [8], [12], [16], [24], [32]],
  blackIsZero: [[1], [2], [4], [6], [8], [10], [12], [14], [16], [24], [32], [16, 'float'], [32, 'float'], [64, 'float']],
  rgb: [[1], [2], [4], [5], [8], [10], [12], [16], [24], [32], [16, 'float'], [32, 'float'], [64, 'float']],
  palette: [[1], [2], [4], [6], [8]],
  cmyk: [[1], [2], [4], [8], [12], [16], [32], [16, 'float'], [32, 'float'], [64, 'float']],
  yCbCr: [[8], [16]],
  cieLab: [[8], [16]],
}
const photometrics = Object.keys(numbers) as Kind['photometric'][]

/** What a compression may come with: differences, byte orders, orders of bits. */
const packings: readonly Partial<Kind>[] = [
  ...one<Kind['compression']>('none', 'packBits').flatMap((compression) => [
    { compression },
    { compression, bigEndian: true },
    { compression, lowestBitFirst: true },
  ]),
  ...one<Kind['compression']>('lzw', 'deflate', 'zstd').flatMap((compression) => [
    { compression },
    { compression, predictor: 2 },
    { compression, predictor: 2, bigEndian: true },
    { compression, predictor: 3 },
    { compression, predictor: 3, bigEndian: true },
  ]),
  { compression: 'jpeg' },
]

/** Depths of every kind without a compression; every compression in the usual depths. */
function kindsOf(photometric: Kind['photometric']): readonly Kind[] {
  const kinds: Kind[] = []
  for (const layout of layouts)
    for (const alpha of [false, true])
      for (const subsampling of photometric === 'yCbCr' ? subsamplings : one<Kind['subsampling']>([1, 1])) {
        const shape: Kind = { ...plain, photometric, ...layout, alpha, subsampling }
        // A picture of one sample may say that its planes are separate, too.
        for (const [bits, format = 'unsigned'] of numbers[photometric]) {
          kinds.push({ ...shape, bits, format })
          // Inks take long, as libvips loads a profile for each file.
          const isUsual = photometric === 'cmyk' ? bits === 8 && !alpha : bits === 8 || bits === 16 || format === 'float'
          if (isUsual && bits <= 32) for (const packing of packings) kinds.push({ ...shape, bits, format, ...packing })
        }
        if (photometric === 'yCbCr')
          kinds.push({ ...shape, range: 'video' }, { ...shape, luma: 'bt709' }, { ...shape, bits: 16, range: 'video' })
      }
  return kinds.filter(isPossible)
}

function isPossible({ photometric, compression, planar, tiled, bits, format, predictor, alpha, subsampling }: Kind): boolean {
  const [across, down] = subsampling
  const blocks = across * down > 1
  const isFloat = format === 'float'
  // Blocks of luma and chroma have no place for alpha.
  if (blocks && alpha) return false
  if (predictor === 2 && isFloat) return false
  if (predictor === 3 && !isFloat) return false
  // Of blocks, libtiff writes differences only over lines of whole pixels that fill a strip or tile.
  const width = tiled ? 32 : size.width
  const row = Math.ceil(width / across) * (across * down + 2)
  const line = tiled ? width * 3 : row / down
  if (predictor > 1 && blocks && !planar) return line % 3 === 0 && ((row * 16) / down) % line === 0
  if (compression !== 'jpeg') return true
  // libjpeg codes 8 bits; sharp writes neither RGB nor inks nor alpha as components of a stream, and one subsampling.
  if (bits !== 8 || photometric === 'palette') return false
  return planar || (!alpha && !['rgb', 'cmyk', 'cieLab'].includes(photometric) && (!blocks || subsampling.join() === '2,2'))
}

async function colourOf(file: Buffer, at: readonly { readonly x: number; readonly y: number }[]) {
  const image = await openImage(file, await readHeader(file), codecs.png)
  const { data, info } = await image.pixels.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  assert.equal(info.channels, 4)
  return at.map(({ x, y }) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)])
}

const prints = new Map<string, readonly (readonly number[])[]>()

/** What libvips shows of the plainest file with the same inks. */
async function printOf(colours: readonly (readonly number[])[]): Promise<readonly (readonly number[])[]> {
  const result = prints.get(colours.join()) ?? (await print(colours))
  prints.set(colours.join(), result)
  return result
}

async function print(colours: readonly (readonly number[])[]): Promise<readonly (readonly number[])[]> {
  const inks = colours.flatMap(([r = 0, g = 0, b = 0]) => [255 - r, 255 - g, 255 - b, 0])
  const file = tiffOf({ ...baseline(colours.length, 1, 4, 8), 262: [5] }, [Uint8Array.from(inks, Math.round)])
  const data = await sharp(file).toColourspace('srgb').raw().toBuffer()
  return colours.map(([, , , alpha = 255], at) => [...data.subarray(at * 3, at * 3 + 3), alpha])
}

const describeKind = (kind: Kind): string =>
  Object.entries(kind)
    .filter(([name, value]) => String(value) !== String(plain[name as keyof Kind]))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

for (const photometric of photometrics) {
  // A prime, so that by day each property is met in many of its combinations.
  const kinds = kindsOf(photometric).filter((_, nth) => isNight || nth % 3 === 0)
  test(`${photometric}: ${kinds.length} kinds are shown in their colours`, async () => {
    const wrong: string[] = []
    for (const kind of kinds) {
      const colours = points.map((_, field) => expected(kind, field))
      const expectedColours = photometric === 'cmyk' ? await printOf(colours) : colours
      const actualColours = await colourOf(await tiffOfKind(kind), points).catch((cause: Error) => cause.message)
      const tolerance = kind.compression === 'jpeg' ? 4 : 2
      const isRight =
        typeof actualColours !== 'string' &&
        actualColours.every((pixel, field) =>
          pixel.every((value, channel) => Math.abs(value - (expectedColours[field]?.[channel] ?? 0)) <= tolerance),
        )
      if (!isRight)
        wrong.push(
          `${describeKind(kind)}: ${typeof actualColours === 'string' ? actualColours : JSON.stringify(actualColours[0])}, not ${expectedColours[0]?.map(Math.round)}`,
        )
    }
    assert.deepEqual(wrong, [])
  })
}
