import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'blurhash'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { type PixelFact, pixelFacts } from '../../src/image/pixel-facts.ts'

const all: readonly PixelFact[] = ['drawn', 'dominantColor', 'palette', 'thumbHash', 'blurHash', 'perceptualHash']

/** A picture of blobs and a gradient that depend on `seed`, with noise like a photograph's. */
function scene(width: number, height: number, seed: number, channels: 3 | 4 = 3): Buffer {
  const data = Buffer.alloc(width * height * channels)
  let noise = seed + 1
  for (let at = 0; at < data.length; at += channels) {
    const x = (at / channels) % width
    const y = Math.floor(at / channels / width)
    for (let channel = 0; channel < channels; channel++) {
      noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648
      const wave = Math.sin((x / width) * (2 + (seed % 5)) + channel) * Math.cos((y / height) * (1 + (seed % 7)))
      data[at + channel] = channel === 3 ? (x > width / 2 ? 255 : 90) : 128 + 100 * wave + (noise % 17)
    }
  }
  return data
}

const pipelineOf = (width: number, height: number, seed: number, channels: 3 | 4 = 3) =>
  sharp(scene(width, height, seed, channels), { raw: { width, height, channels } })

test('the hashes are those of the reference packages, of pictures of many shapes', async () => {
  for (let seed = 0; seed < 100; seed++) {
    const width = 100 - ((seed * 4) % 80)
    const height = 24 + ((seed * 3) % 76)
    const channels = seed % 2 === 0 ? 3 : 4
    const { thumbHash, blurHash } = await pixelFacts(pipelineOf(width, height, seed, channels), ['thumbHash', 'blurHash'])
    const rgba = await pipelineOf(width, height, seed, channels).ensureAlpha().raw().toBuffer()
    assert.equal(thumbHash, Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64'))
    const opaque = await pipelineOf(width, height, seed, channels).flatten({ background: '#fff' }).ensureAlpha().raw().toBuffer()
    const [across, down] = width >= height ? [4, 3] : [3, 4]
    assert.equal(blurHash, encode(new Uint8ClampedArray(opaque), width, height, across, down))
  }
})

test('the palette has the colours that are there, the most frequent first', async () => {
  const data = Buffer.alloc(60 * 60 * 3)
  for (let at = 0; at < data.length; at += 3) data.set(at < data.length * 0.7 ? [200, 30, 40] : [10, 20, 220], at)
  const picture = sharp(data, { raw: { width: 60, height: 60, channels: 3 } })
  const { palette, dominantColor } = await pixelFacts(picture, ['palette', 'dominantColor'])
  assert.deepEqual(palette, ['#c81e28', '#0a14dc'])
  assert.equal(dominantColor, '#c81e28')
})

test('a picture that is transparent everywhere has no colours, but hashes', async () => {
  const picture = sharp({ create: { width: 20, height: 10, channels: 4, background: '#12345600' } })
  const facts = await pixelFacts(picture, all)
  assert.deepEqual([facts.palette, facts.dominantColor], [[], null])
  assert.match(facts.perceptualHash ?? '', /^[0-9a-f]{16}$/)
})

const distance = (one = '', other = '') =>
  [...(BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2)].filter((bit) => bit === '1').length

test('perceptual hashes are near for the same picture at another size and quality, and far for others', async () => {
  const hashOf = async (picture: ReturnType<typeof pipelineOf>) => (await pixelFacts(picture, ['perceptualHash'])).perceptualHash
  const whole = await hashOf(pipelineOf(400, 300, 3))
  const small = await hashOf(sharp(await pipelineOf(400, 300, 3).resize(160).jpeg({ quality: 40 }).toBuffer()))
  const other = await hashOf(pipelineOf(400, 300, 11))
  assert.ok(distance(whole, small) <= 6, `${whole} ${small}`)
  assert.ok(distance(whole, other) >= 16, `${whole} ${other}`)
})

test('only what is wanted is computed', async () => {
  assert.deepEqual(Object.keys(await pixelFacts(pipelineOf(50, 50, 1), ['blurHash'])), ['blurHash'])
})
