import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { codecs } from '../src/index.ts'
import { chunksIn } from '../src/png-file.ts'
import { pngOfSamples } from '../src/png-samples.ts'
import { seededRandom } from './photographs/random.ts'

const { png } = codecs
const isInstalled = spawnSync('convert', ['-version']).status === 0
const settings = { megapixels: 0.1, animation: undefined } as const

/** Soft shapes with grain, as a camera records them. */
function grain(width: number, height: number): Buffer {
  let state = 1
  return Buffer.from(
    Uint8Array.from({ length: width * height * 3 }, (_, at) => {
      const x = Math.floor(at / 3) % width
      const y = Math.floor(at / 3 / width)
      state = (state * 48_271) % 2_147_483_647
      return 128 + 60 * Math.sin(x / 40) + 40 * Math.cos(y / 50) + 8 * (state / 2_147_483_647)
    }),
  )
}

interface Raw {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
}

const raw = { width: 400, height: 300, channels: 3 } as const
const pixels = grain(raw.width, raw.height)

const write = (data: Uint8Array, size: Raw) =>
  png.encode(sharp(data, { raw: size }), { ...settings, megapixels: (size.width * size.height) / 1e6, quality: undefined })

/** The filters of the rows of a file of 8 bits a channel, of which each number is there once. */
function filtersIn(file: Buffer, { width, height, channels }: Raw): ReadonlySet<number | undefined> {
  const pixels = [...chunksIn(file)].filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const rows = inflateSync(Buffer.concat(pixels))
  assert.equal(rows.length, height * (1 + width * channels))
  return new Set(Array.from({ length: height }, (_, y) => rows[y * (1 + width * channels)]))
}

test('a photograph is written with filters, smaller than by libvips with its filters', async () => {
  const { bytes } = await write(pixels, raw)
  const theirs = await sharp(pixels, { raw }).png({ adaptiveFiltering: true, compressionLevel: 6 }).toBuffer()
  assert.ok(bytes.length < 1.002 * theirs.length, `${bytes.length} of ${theirs.length} bytes`)
  assert.ok(filtersIn(bytes, raw).size > 1)
  assert.deepEqual(await sharp(bytes).raw().toBuffer(), pixels)
})

test('a drawing is written with filters only where it becomes smaller', async () => {
  const size = { width: 300, height: 300, channels: 3 } as const
  const drawing = (colourAt: (x: number, y: number) => readonly number[]) =>
    Buffer.from(Array.from({ length: 90_000 }, (_, at) => colourAt(at % 300, Math.floor(at / 300))).flat())
  const ramp = await write(
    drawing((x, y) => [x >> 1, y >> 1, 100]),
    size,
  )
  assert.ok(!filtersIn(ramp.bytes, size).has(0) || filtersIn(ramp.bytes, size).size > 1)
  // A pattern of strange colours, in which each row has the beginning of another one.
  const random = seededRandom(1)
  const tile = Array.from({ length: 900 }, () => [0, 0, 0].map(() => Math.floor(256 * random())))
  const pattern = await write(
    drawing((x, y) => tile[(x * 7 + y * y * 11) % 900] ?? []),
    size,
  )
  assert.deepEqual([...filtersIn(pattern.bytes, size)], [0])
  for (const { bytes } of [ramp, pattern]) {
    const plain = await sharp(await sharp(bytes).raw().toBuffer(), { raw: size })
      .png()
      .toBuffer()
    assert.ok(bytes.length < 1.01 * plain.length, `${bytes.length} of ${plain.length} bytes`)
  }
})

const readRgba = (file: Buffer) => sharp(file).toColourspace('srgb').ensureAlpha().raw().toBuffer()

function rgbaOf(data: Buffer, channels: number): Buffer {
  const pixels = Array.from({ length: data.length / channels }, (_, at) => data.subarray(at * channels, (at + 1) * channels))
  return Buffer.concat(
    pixels.map((pixel) => {
      const colours = channels < 3 ? [pixel[0], pixel[0], pixel[0]] : [...pixel.subarray(0, 3)]
      return Buffer.from([...colours, channels % 2 === 0 ? pixel.at(-1) : 255].map(Number))
    }),
  )
}

test('pixels come back as they were, of every number of channels and all small sizes', async () => {
  for (const channels of [1, 2, 3, 4] as const)
    for (let side = 1; side <= 40; side++) {
      const size = { width: side, height: 41 - side, channels }
      // Ends of the range beside one another, and more colours than a palette has where there is room.
      const data = Buffer.from(
        Array.from({ length: size.width * size.height * channels }, (_, at) => (at % 3 ? (at * 151) % 256 : at % 2 ? 255 : 0)),
      )
      const bytes = await pngOfSamples({ ...size, data })
      assert.deepEqual(await readRgba(bytes), rgbaOf(data, channels), `${side}, ${channels} channels`)
      assert.deepEqual(await readRgba(await pngOfSamples({ ...size, data }, { level: 9 })), rgbaOf(data, channels))
    }
})

test('a picture of several bands and chunks of pixels comes back, and ImageMagick reads the same', async () => {
  const size = { width: 700, height: 500, channels: 4 } as const
  let state = 7
  const data = Buffer.from(
    Array.from({ length: 1_400_000 }, (_, at) => {
      state = (state * 48_271) % 2_147_483_647
      return at % 4 === 3 ? 255 - (at % 7) : (at >> 8) ^ (state & 15)
    }),
  )
  const { bytes } = await write(data, size)
  assert.ok([...chunksIn(bytes)].filter(({ type }) => type === 'IDAT').length > 1)
  assert.deepEqual(await sharp(bytes).raw().toBuffer(), data)
  if (!isInstalled) return
  const theirs = spawnSync('convert', ['png:-', '-depth', '8', 'rgba:-'], { input: bytes, maxBuffer: 2 * data.length })
  assert.equal(theirs.stderr.toString(), '')
  assert.deepEqual(theirs.stdout, data)
})

test('encode without quality and encodeExactly write the same bytes', async () => {
  const ordinary = await png.encode(sharp(pixels, { raw }), { ...settings, quality: undefined })
  const exact = await png.encodeExactly?.(sharp(pixels, { raw }), settings)
  assert.deepEqual(exact?.bytes, ordinary.bytes)
})

test('16 bits a channel are left to libvips, with filters for photographs', async () => {
  const deep = sharp(pixels, { raw }).toColourspace('rgb16')
  const sizes = await Promise.all(
    [true, false].map(async (photograph) => {
      const { bytes } = await png.encode(deep.clone(), { ...settings, quality: undefined, deep: true, photograph })
      const read = await sharp(bytes).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()
      assert.deepEqual(read, await deep.clone().raw({ depth: 'ushort' }).toBuffer())
      return bytes.length
    }),
  )
  assert.ok((sizes[0] ?? 0) < 0.95 * (sizes[1] ?? 0), `${sizes[0]} and ${sizes[1]} bytes`)
})

test('a file tells a photograph by its density, unless it has a palette', async () => {
  const photographIn = async (image: Sharp) => png.photographIn?.(await image.toBuffer())
  assert.equal(await photographIn(sharp(pixels, { raw }).png()), true)
  assert.equal(await photographIn(sharp(pixels, { raw }).png({ palette: true })), false)
  const flat = sharp({ create: { width: 400, height: 300, channels: 3, background: '#357' } })
  assert.equal(await photographIn(flat.png()), false)
  assert.equal(png.photographIn?.(Buffer.from('89504e470d0a1a0a', 'hex')), false)
})
