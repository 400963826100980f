import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { codecs } from '../src/index.ts'

const { png } = codecs
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

const raw = { width: 400, height: 300, channels: 3 } as const
const pixels = grain(raw.width, raw.height)

test('a photograph becomes a smaller PNG with filters, of the same pixels', async () => {
  const write = (photograph: boolean) => png.encode(sharp(pixels, { raw }), { ...settings, quality: undefined, photograph })
  const withFilters = await write(true)
  const plain = await write(false)
  assert.ok(withFilters.bytes.length < 0.9 * plain.bytes.length, `${withFilters.bytes.length} of ${plain.bytes.length} bytes`)
  assert.deepEqual(await sharp(withFilters.bytes).raw().toBuffer(), pixels)
})

test('encode without quality and encodeExactly write the same bytes', async () => {
  for (const photograph of [true, false]) {
    const ordinary = await png.encode(sharp(pixels, { raw }), { ...settings, quality: undefined, photograph })
    const exact = await png.encodeExactly?.(sharp(pixels, { raw }), { ...settings, photograph })
    assert.deepEqual(exact?.bytes, ordinary.bytes)
  }
})

test('a file tells a photograph by its density, unless it has a palette', async () => {
  const photographIn = async (image: Sharp) => png.photographIn?.(await image.toBuffer())
  assert.equal(await photographIn(sharp(pixels, { raw }).png()), true)
  assert.equal(await photographIn(sharp(pixels, { raw }).png({ palette: true })), false)
  const flat = sharp({ create: { width: 400, height: 300, channels: 3, background: '#357' } })
  assert.equal(await photographIn(flat.png()), false)
  assert.equal(png.photographIn?.(Buffer.from('89504e470d0a1a0a', 'hex')), false)
})
