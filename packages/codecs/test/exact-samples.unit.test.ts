import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trimBox } from '../src/pixels/trim.ts'
import { unpremultiply } from '../src/reader.ts'
import { decodeLayout, orient } from '../src/tiff/decode.ts'
import { readDirectory } from '../src/tiff/directory.ts'
import { layoutOf } from '../src/tiff/layout.ts'
import { baseline, packBits, tiffOf } from './support/tiff.ts'

/** What is computed by tables and products gives the samples that its definition gives. */

const quotient = (colour: number, alpha: number, full: number) =>
  alpha === 0 ? colour : Math.min(full, Math.round((colour * full) / alpha))

test('colours of 8 bits are divided by alpha as by definition, all of them', () => {
  const pairs = Array.from({ length: 65_536 }, (_, at) => ({ colour: at & 255, alpha: at >> 8 }))
  const data = Uint8Array.from(pairs.flatMap(({ colour, alpha }) => [colour, alpha]))
  unpremultiply(data, 2)
  assert.deepEqual(data, Uint8Array.from(pairs.flatMap(({ colour, alpha }) => [quotient(colour, alpha, 255), alpha])))
})

test('colours of 16 bits are divided by alpha as by definition, also where quotients end in a half', () => {
  const pairs = [1, 2, 3, 6, 254, 1_026, 21_845, 32_767, 32_768, 43_690, 65_534, 65_535, 0].flatMap((alpha) =>
    Array.from({ length: 4_000 }, (_, at) => ({ colour: (at * 65_521) % Math.min(alpha + 40, 65_536), alpha })),
  )
  const halves = pairs.filter(({ colour, alpha }) => ((colour * 65_535) / alpha) % 1 === 0.5)
  assert.ok(halves.length > 100)
  const data = Uint16Array.from(pairs.flatMap(({ colour, alpha }) => [colour, alpha]))
  unpremultiply(data, 2)
  assert.deepEqual(data, Uint16Array.from(pairs.flatMap(({ colour, alpha }) => [quotient(colour, alpha, 65_535), alpha])))
})

const decode = (file: Buffer) => {
  const directory = readDirectory(file)
  const layout = directory && layoutOf(directory)
  assert.ok(layout)
  return decodeLayout(file, layout)
}

test('samples of every odd depth are scaled to 16 bits as by definition, up to the last one of a row', async () => {
  for (let bits = 1; bits < 16; bits++) {
    const width = 41
    const numbers = Array.from({ length: width * 3 }, (_, at) => (at * 7_919) % 2 ** bits)
    const row = packBits(numbers, bits)
    const { data } = await decode(tiffOf(baseline(width, 2, 3, bits), [Buffer.concat([row, row])]))
    const expectedSamples = numbers.map((number) => Math.round((number * 65_535) / (2 ** bits - 1)))
    assert.deepEqual([...data], [...expectedSamples, ...expectedSamples], `${bits} bits`)
  }
})

test('differences of samples that end within a byte are added up, of one channel and of several', async () => {
  for (const bits of [3, 5, 12, 15])
    for (const channels of [1, 3]) {
      const full = 2 ** bits
      const numbers = Array.from({ length: 19 * channels }, (_, at) => (at * 4_243) % full)
      const differences = numbers.map((number, at) => (number - (numbers[at - channels] ?? 0) + full) % full)
      const fields = { ...baseline(19, 1, channels, bits), 317: [2] }
      const { data } = await decode(tiffOf(fields, [packBits(differences, bits)]))
      const expectedSamples = numbers.map((number) => Math.round((number * 65_535) / (full - 1)))
      assert.deepEqual([...data], expectedSamples, `${bits} bits, ${channels} channels`)
    }
})

test('a picture that is stored turned keeps the depth of its samples', () => {
  const inks = { width: 2, height: 1, channels: 4, inks: true, data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) } as const
  const { data, width, height } = orient(inks, 6)
  assert.deepEqual({ data, width, height }, { data: inks.data, width: 1, height: 2 })
  assert.deepEqual(orient(inks, 3).data, Uint8Array.of(5, 6, 7, 8, 1, 2, 3, 4))
})

test('a border ends where one channel differs, whichever it is', () => {
  for (const channels of [3, 4] as const)
    for (let channel = 0; channel < channels; channel++) {
      const data = new Uint8Array(5 * 4 * channels).fill(100)
      data[(2 * 5 + 3) * channels + channel] = 111
      const strip = { width: 5, height: 4, channels, data, frames: 1 }
      assert.deepEqual(trimBox(strip, 10), { left: 3, top: 2, width: 1, height: 1 })
      assert.deepEqual(trimBox(strip, 11), { left: 0, top: 0, width: 5, height: 4 })
    }
})
