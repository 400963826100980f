import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sRgbCurve } from '@pixelmill/kernels/srgb'
import { bmpReader } from '../../src/bmp/reader.ts'
import { profileOf } from '../../src/icc-profile.ts'
import { D65, gammaCurve } from '../../src/rgb-space.ts'
import { type BmpParts, bmpFile, calibrate } from '../support/bmp.ts'

const p3 = profileOf({
  red: [0.68, 0.32],
  green: [0.265, 0.69],
  blue: [0.15, 0.06],
  white: D65,
  curves: [sRgbCurve, sRgbCurve, sRgbCurve],
})
const plain: BmpParts = { width: 1, height: 1, bits: 24, pixels: [1, 2, 3, 0] }

/** A file with something behind its pixels, as its V5 header says. */
const withProfile = (kind: string, profile: Buffer, length = profile.length): Buffer =>
  bmpFile({
    ...plain,
    header: 124,
    edit: (header) => {
      header.writeUInt32LE(Buffer.from(kind, 'latin1').readUInt32BE(), 56)
      header.writeUInt32LE(124 + 4, 112)
      header.writeUInt32LE(length, 116)
    },
    pixels: Buffer.concat([Buffer.from([1, 2, 3, 0]), profile]),
  })

const iccOf = async (file: Buffer) => (await bmpReader.decode(file)).icc

test('an embedded profile comes with the pixels', async () => {
  assert.deepEqual(Buffer.from((await iccOf(withProfile('MBED', p3))) ?? []), p3)
})

const cmyk = Buffer.from(p3)
cmyk.write('CMYK', 16, 'latin1')
const nonsense: readonly (readonly [name: string, file: Buffer])[] = [
  ['a profile that is only linked', withProfile('LINK', Buffer.from('C:\\Users\\somebody\\display.icc\0'.padEnd(200, ' ')))],
  ['a profile beside one said to be sRGB', withProfile('sRGB', p3)],
  ['a cut profile', withProfile('MBED', p3.subarray(0, 500))],
  ['a profile longer than what is said', withProfile('MBED', p3, 500)],
  ['a profile of no length', withProfile('MBED', Buffer.alloc(0))],
  ['a profile of inks', withProfile('MBED', cmyk)],
  ['a text for a profile', withProfile('MBED', Buffer.alloc(200, 'a'))],
  ['no calibration', bmpFile({ ...plain, header: 108 })],
  ['a calibration to one colour', bmpFile({ ...plain, header: 108, edit: calibrate([0.3, 0.3], [0.3, 0.3], [0.3, 0.3], 2.2) })],
  ['a calibration without light', bmpFile({ ...plain, header: 108, edit: calibrate([0.64, 0], [0.3, 0.6], [0.15, 0.06], 2.2) })],
  [
    'a calibration to an exponent of nothing',
    bmpFile({ ...plain, header: 108, edit: calibrate([0.64, 0.33], [0.3, 0.6], [0.15, 0.06], 0) }),
  ],
]
for (const [name, file] of nonsense) test(`${name} is left alone: sRGB`, async () => assert.ok((await iccOf(file)) === undefined))

test('a calibration is a profile of those primaries and exponents', async () => {
  const icc = await iccOf(bmpFile({ ...plain, header: 108, edit: calibrate([0.68, 0.32], [0.265, 0.69], [0.15, 0.06], 1.8) }))
  const curve = gammaCurve(1.8)
  const expected = profileOf({
    red: [0.68, 0.32],
    green: [0.265, 0.69],
    blue: [0.15, 0.06],
    white: D65,
    curves: [curve, curve, curve],
  })
  assert.equal(icc?.length, expected.length)
  // Coordinates of 2.30 bits differ in the last places of 16.16.
  assert.ok(expected.every((byte, at) => Math.abs(byte - (icc?.[at] ?? 0)) <= 1))
})

test('a grey picture with a profile is read in colour, which the profile is of', async () => {
  const file = bmpFile({
    width: 1,
    height: 1,
    bits: 8,
    colours: [0x808080],
    header: 108,
    edit: calibrate([0.64, 0.33], [0.3, 0.6], [0.15, 0.06], 2.2),
    pixels: [0, 0, 0, 0],
  })
  const { channels, icc } = await bmpReader.decode(file)
  assert.deepEqual([channels, icc !== undefined], [3, true])
})

test('a JPEG or PNG in place of the pixels is handed on as it is, up to the length that the header says', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1')
  const file = (bytes: number) =>
    bmpFile({ ...plain, header: 124, bits: 0, compression: 5, edit: (header) => header.writeUInt32LE(bytes, 20), pixels: png })
  assert.deepEqual((await bmpReader.header(file(0))).embedded, png)
  assert.deepEqual((await bmpReader.header(file(10))).embedded, png.subarray(0, 10))
  assert.deepEqual((await bmpReader.header(file(0xffffffff))).embedded, png)
})

test('a BMP in place of the pixels is refused: it could go on so for ever', async () => {
  const file = bmpFile({ ...plain, header: 124, bits: 0, compression: 5, pixels: bmpFile(plain) })
  await assert.rejects(bmpReader.header(file), { message: 'its header says that it holds a PNG, which it does not' })
})
