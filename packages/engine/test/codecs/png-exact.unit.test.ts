import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { runTask } from '../support/run-task.ts'

/** A PNG has no more channels and bits than its pixels need, and every pixel as it is. */

type Pixel = readonly number[]

const WIDTH = 200
const HEIGHT = 150

/** Each block of 10 × 10 pixels has one of the colours, by turns. */
function blocks(colours: readonly Pixel[]): Sharp {
  const channels = (colours[0]?.length ?? 3) as 1 | 2 | 3 | 4
  const data = Buffer.from(
    Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
      const block = Math.floor((at % WIDTH) / 10) + 20 * Math.floor(at / WIDTH / 10)
      return colours[block % colours.length] ?? []
    }).flat(),
  )
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels } }).toColourspace(channels < 3 ? 'b-w' : 'srgb')
}

/** Each pixel has one of the colours, in an order that repeats late. */
function scatter(colours: readonly Pixel[]): Sharp {
  const data = Buffer.from(
    Array.from(
      { length: WIDTH * HEIGHT },
      (_, at) => colours[(at * 97 + (at >> 7) * 31 + ((at * at) >> 9)) % colours.length] ?? [],
    ).flat(),
  )
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
}

const several = (count: number, alpha = false): readonly Pixel[] =>
  Array.from({ length: count }, (_, nth) => [
    (nth * 37) % 256,
    nth % 256,
    (nth * 101) % 256,
    ...(alpha ? [nth % 3 ? 255 : nth % 256] : []),
  ])

const greys = (levels: readonly number[]): readonly Pixel[] => levels.map((level) => [level, level, level])
const all = Array.from({ length: 256 }, (_, level) => level)

async function png(source: Buffer, output: object = {}, steps: readonly object[] = []): Promise<Buffer> {
  const recipe = recipeSchema.parse({ steps, outputs: [{ format: 'png', ...output }] })
  const [image] = writtenImages(await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source))
  return image?.bytes ?? assert.fail()
}

/** Bits a channel and colour type: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA (PNG, third edition, 11.2.1). */
const kindOf = (bytes: Buffer) => `${bytes[24]} bits, type ${bytes[25]}`

const pixelsOf = (bytes: Buffer) => sharp(bytes).toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer()

const kinds: readonly (readonly [what: string, pixels: Sharp, kind: string])[] = [
  ['2 colours', blocks(several(2)), '1 bits, type 3'],
  ['4 colours', blocks(several(4)), '2 bits, type 3'],
  ['16 colours', blocks(several(16)), '4 bits, type 3'],
  ['256 colours', scatter(several(256)), '8 bits, type 3'],
  ['256 colours in blocks, smaller without their palette', blocks(several(256)), '8 bits, type 2'],
  ['257 colours', blocks([...several(256), [1, 2, 3]]), '8 bits, type 2'],
  ['40 colours with transparency', blocks(several(40, true)), '8 bits, type 3'],
  ['257 colours with transparency', blocks([...several(256, true), [1, 2, 3, 4]]), '8 bits, type 6'],
  [
    '257 colours with alpha that is opaque',
    blocks([...several(256), [1, 2, 3]].map((colour) => [...colour, 255])),
    '8 bits, type 2',
  ],
  ['black and white', blocks(greys([0, 255])), '1 bits, type 0'],
  ['4 greys', blocks(greys([0, 85, 170, 255])), '2 bits, type 0'],
  ['16 greys', blocks(greys(Array.from({ length: 16 }, (_, nth) => nth * 17))), '4 bits, type 0'],
  ['2 greys between those of 4 bits', blocks(greys([3, 200])), '1 bits, type 3'],
  ['all greys', blocks(greys(all)), '8 bits, type 0'],
  ['a few greys with transparency', blocks([0, 9, 99, 200].map((level) => [level, level > 9 ? 255 : 0])), '2 bits, type 3'],
  [
    'more than 256 greys with transparency',
    blocks(
      all.flatMap((level) => [
        [level, 255],
        [level, 99],
      ]),
    ),
    '8 bits, type 4',
  ],
]
for (const [what, pixels, kind] of kinds)
  test(`${what}: ${kind}, from a PNG of eight bits`, async () => {
    const source = await pixels.clone().png().toBuffer()
    const result = await png(source)
    assert.equal(kindOf(result), kind)
    assert.deepEqual(await pixelsOf(result), await pixelsOf(source))
    assert.ok(result.length <= source.length, `${source.length} became ${result.length}`)
  })

test('palettes and single bits stay as small as they were, whatever format they come from', async () => {
  const drawing = blocks(several(40))
  const page = blocks(greys([0, 255])).toColourspace('b-w')
  const settings = { quality: undefined, megapixels: 0.03, animation: undefined }
  const sources = [
    ['palette', await drawing.clone().png({ palette: true, dither: 0, compressionLevel: 9 }).toBuffer(), 3],
    ['interlaced palette', await drawing.clone().png({ palette: true, dither: 0, progressive: true }).toBuffer(), 3],
    ['GIF', await drawing.clone().gif({ dither: 0 }).toBuffer(), 3],
    ['BMP', (await codecs.bmp.encode(drawing.clone(), settings)).bytes, 3],
    ['lossless WebP', await drawing.clone().webp({ lossless: true }).toBuffer(), 3],
    ['bilevel TIFF', await page.clone().tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer(), 0],
    ['bilevel PNG', await page.clone().png({ palette: true, colours: 2, dither: 0 }).toBuffer(), 0],
  ] as const
  for (const [name, source, type] of sources) {
    const result = await png(source)
    assert.equal(result[25], type, name)
    if (name.endsWith('PNG') || name.endsWith('palette'))
      // Two encoders may differ by a few bytes of zlib's blocks.
      assert.ok(result.length <= source.length + 4, `${name}: ${source.length} became ${result.length}`)
    if (name !== 'BMP') assert.deepEqual(await pixelsOf(result), await pixelsOf(source), name)
  }
})

test('what a step leaves decides: one colour, a page that is thresholded by nothing, a photograph', async () => {
  assert.equal(
    kindOf(await png(await solid(300, 200, '#4080c0').jpeg().toBuffer(), {}, [{ resize: { width: 200 } }])),
    '1 bits, type 3',
  )
  assert.equal(kindOf(await png(await photo(200, 200).jpeg().toBuffer(), {}, [{ grayscale: {} }])), '8 bits, type 0')
  assert.equal(kindOf(await png(await photo(200, 200).jpeg().toBuffer())), '8 bits, type 2')
  // A corner of four colours, in which neighbours differ, on a picture of many.
  const corner = sharp(
    Buffer.from(Array.from({ length: 3_600 }, (_, at) => several(4)[(at * 7 + (at >> 3) * 5) % 4] ?? []).flat()),
    { raw: { width: 60, height: 60, channels: 3 } },
  )
  const whole = await blocks([...several(256), [1, 2, 3]])
    .composite([{ input: await corner.png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer()
  assert.equal(kindOf(await png(whole, {}, [{ crop: { x: 0, y: 0, width: 60, height: 60 } }])), '2 bits, type 3')
  assert.equal(kindOf(await png(await photo(10, 10).png().toBuffer())), '8 bits, type 2')
})

test('a grey picture with a profile of colours has colours, which the profile is for', async () => {
  for (const levels of [[0, 255], all]) {
    const source = await blocks(greys(levels)).withIccProfile('p3').png().toBuffer()
    const result = await png(source, { icc: 'keep' })
    assert.ok([2, 3].includes(result[25] ?? 0), kindOf(result))
    assert.ok((await sharp(result).metadata()).icc)
    assert.deepEqual(await sharp(result).raw().toBuffer(), await sharp(source).raw().toBuffer())
  }
})

test('16 bits a channel stay', async () => {
  const source = await solid(60, 40, '#4080c0').toColourspace('rgb16').png().toBuffer()
  assert.equal(kindOf(await png(source, { format: 'same' })), '16 bits, type 2')
})

test('every door writes it: convert, resize, optimize without loss, and best', async () => {
  const source = await blocks(several(40)).png().toBuffer()
  const files = [
    (
      await runTask(
        'convert',
        {
          format: 'png',
          fit: 'inside',
          gravity: 'center',
          grayscale: false,
          rotate: 0,
          metadata: 'none',
          icc: 'srgb',
          hdr: 'keep',
        },
        source,
      )
    ).files[0],
    (await runTask('optimize', { quality: 100, metadata: 'none', icc: 'srgb', hdr: 'keep' }, source)).files[0],
    await png(source, { format: 'same' }),
    await png(source, { maxBytes: 100_000 }),
  ]
  for (const file of files) assert.equal(kindOf(file ?? assert.fail()), '8 bits, type 3')
})
