import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BmpParts, bmpFile, read } from '../support/bmp.ts'

const colours = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff]
const rle8 = (width: number, height: number, pixels: readonly number[]): BmpParts => ({
  width,
  height,
  bits: 8,
  compression: 1,
  colours,
  pixels,
})
const rle4 = (width: number, height: number, pixels: readonly number[]): BmpParts => ({
  width,
  height,
  bits: 4,
  compression: 2,
  colours,
  pixels,
})
const rle24 = (width: number, height: number, pixels: readonly number[]): BmpParts => ({
  header: 64,
  width,
  height,
  bits: 24,
  compression: 4,
  pixels,
})
const LINE = [0, 0]
const END = [0, 1]

const files: readonly (readonly [name: string, parts: BmpParts, rows: readonly string[]])[] = [
  ['RLE8 of runs', rle8(3, 2, [2, 1, 1, 2, ...LINE, 3, 0, ...END]), ['ff0000 ff0000 ff0000', '00ff00 00ff00 0000ff']],
  ['RLE8 of pixels written out, padded', rle8(4, 1, [0, 3, 2, 1, 0, 99, 1, 3, ...END]), ['0000ff 00ff00 ff0000 ffffff']],
  ['RLE8 without an end', rle8(2, 1, [2, 1]), ['00ff00 00ff00']],
  ['RLE8 without the padding of its last pixels', rle8(3, 1, [0, 3, 2, 1, 0]), ['0000ff 00ff00 ff0000']],
  ['RLE8 that ends a row early', rle8(2, 2, [1, 1, ...LINE, 2, 2, ...END]), ['0000ffff 0000ffff', '00ff00ff 00000000']],
  ['RLE8 that ends early', rle8(2, 2, [2, 1, ...END, 2, 2]), ['00000000 00000000', '00ff00ff 00ff00ff']],
  [
    'RLE8 that leaps',
    rle8(3, 3, [1, 0, 0, 2, 1, 2, 1, 1, ...END]),
    ['00000000 00000000 00ff00ff', '00000000 00000000 00000000', 'ff0000ff 00000000 00000000'],
  ],
  ['RLE8 that leaps out of the picture', rle8(1, 1, [1, 0, 0, 2, 255, 255, 9, 1, ...END]), ['ff0000']],
  [
    'RLE8 whose rows are too long',
    rle8(2, 2, [200, 1, 0, 3, 0, 0, 0, 0, ...LINE, 2, 2, ...END]),
    ['0000ff 0000ff', '00ff00 00ff00'],
  ],
  ['RLE8 of more rows than there are', rle8(1, 1, [1, 1, ...LINE, 1, 2, ...LINE, 1, 3]), ['00ff00']],
  ['RLE8 cut within pixels written out', rle8(3, 1, [1, 1, 0, 3, 2]), ['00ff00ff 00000000 00000000']],
  ['RLE8 cut within a leap', rle8(2, 1, [1, 1, 0, 2, 1]), ['00ff00ff 00000000']],
  ['RLE8 cut within a run', rle8(2, 1, [1, 1, 1]), ['00ff00ff 00000000']],
  ['RLE4 of runs of two colours', rle4(5, 1, [5, 0x12, ...END]), ['00ff00 0000ff 00ff00 0000ff 00ff00']],
  ['RLE4 of one colour', rle4(3, 1, [3, 0x33, ...END]), ['ffffff ffffff ffffff']],
  [
    'RLE4 of pixels written out, padded to two bytes',
    rle4(6, 1, [0, 5, 0x01, 0x23, 0x10, 0, 1, 0x20, ...END]),
    ['ff0000 00ff00 0000ff ffffff 00ff00 0000ff'],
  ],
  [
    'RLE24 of OS/2',
    rle24(4, 1, [2, 1, 2, 3, 0, 2 + 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, ...END]),
    ['030201 030201 060504 090807'],
  ],
  ['RLE24 cut within a colour', rle24(2, 1, [1, 1, 2, 3, 1, 4, 5]), ['030201ff 00000000']],
]

for (const [name, parts, rows] of files) test(`reads ${name}`, async () => assert.deepEqual(await read(bmpFile(parts)), rows))

test('runs may not go from the top down', async () => {
  const file = bmpFile({ ...rle8(1, -1, [1, 0, 0, 1]) })
  await assert.rejects(read(file), { message: 'its rows go from the top down, which they cannot when they are compressed' })
})
