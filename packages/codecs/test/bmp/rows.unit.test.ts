import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bmpReader } from '../../src/bmp/reader.ts'
import { type BmpParts, bmpFile, read } from '../support/bmp.ts'

const RED = 0xff0000
const GREEN = 0x00ff00
const BLUE = 0x0000ff
const WHITE = 0xffffff
const linear = (...channels: readonly number[]) => [...new Uint8Array(Int16Array.from(channels).buffer)]

const files: readonly (readonly [name: string, parts: BmpParts, rows: readonly string[]])[] = [
  [
    '1 bit, rows from the bottom up and padded to four bytes',
    { width: 3, height: 2, bits: 1, colours: [RED, BLUE], pixels: [0b0100_0000, 0, 0, 0, 0b1010_0000, 0, 0, 0] },
    ['0000ff ff0000 0000ff', 'ff0000 0000ff ff0000'],
  ],
  ['1 bit of grey colours', { width: 2, height: 1, bits: 1, colours: [0x101010, 0xeeeeee], pixels: [0x40, 0, 0, 0] }, ['10 ee']],
  ['1 bit, with one colour of two', { width: 2, height: 1, bits: 1, colours: [RED], pixels: [0x40, 0, 0, 0] }, ['ff0000 000000']],
  [
    '2 bits, of Windows CE',
    { width: 5, height: 1, bits: 2, colours: [RED, GREEN, BLUE, WHITE], pixels: [0b00_01_10_11, 0b10_00_00_00, 0, 0] },
    ['ff0000 00ff00 0000ff ffffff 0000ff'],
  ],
  ['4 bits', { width: 3, height: 1, bits: 4, colours: [RED, GREEN, BLUE], pixels: [0x21, 0x00, 0, 0] }, ['0000ff 00ff00 ff0000']],
  ['8 bits', { width: 3, height: 1, bits: 8, colours: [RED, GREEN, BLUE], pixels: [2, 1, 0, 0] }, ['0000ff 00ff00 ff0000']],
  ['an index behind the palette', { width: 2, height: 1, bits: 8, colours: [RED], pixels: [0, 9, 0, 0] }, ['ff0000 000000']],
  [
    'a palette of more colours than bits can name',
    { width: 1, height: 1, bits: 1, colours: [RED, BLUE, WHITE], pixels: [0x80, 0, 0, 0] },
    ['0000ff'],
  ],
  [
    'a palette that says more colours than it has',
    { width: 1, height: 1, bits: 8, colours: [RED, BLUE], saidColours: 0x40000000, pixels: [1, 0, 0, 0] },
    ['0000ff'],
  ],
  [
    'a gap before the pixels',
    { width: 1, height: 1, bits: 8, colours: [RED], saidColours: 1, gap: 99, pixels: [0, 0, 0, 0] },
    ['ff0000'],
  ],
  ['24 bits', { width: 2, height: 1, bits: 24, pixels: [1, 2, 3, 4, 5, 6, 0, 0] }, ['030201 060504']],
  ['24 bits from the top down', { width: 1, height: -2, bits: 24, pixels: [1, 2, 3, 0, 4, 5, 6, 0] }, ['030201', '060504']],
  [
    '24 bits after a palette that is not used',
    { width: 1, height: 1, bits: 24, colours: [RED], pixels: [1, 2, 3, 0] },
    ['030201'],
  ],
  ['16 bits: five a channel, one unused', { width: 2, height: 1, bits: 16, pixels: [0x1f, 0x7c, 0xe0, 0x83] }, ['ff00ff 00ff00']],
  [
    '16 bits by masks 5-6-5',
    { width: 2, height: 1, bits: 16, compression: 3, masks: [0xf800, 0x07e0, 0x001f], pixels: [0x20, 0x00, 0x00, 0x80] },
    ['000400 840000'],
  ],
  [
    '16 bits by masks with alpha',
    {
      header: 56,
      width: 2,
      height: 1,
      bits: 16,
      compression: 3,
      masks: [0x7c00, 0x03e0, 0x1f, 0x8000],
      pixels: [0, 0xfc, 0xff, 0x7f],
    },
    ['ff0000ff ffffff00'],
  ],
  ['32 bits, the last byte unused', { width: 1, height: 1, bits: 32, pixels: [1, 2, 3, 4] }, ['030201']],
  [
    '32 bits by masks of bytes in another order',
    { width: 1, height: 1, bits: 32, compression: 3, masks: [0xff000000, 0xff0000, 0xff00], pixels: [1, 2, 3, 4] },
    ['040302'],
  ],
  [
    '32 bits by masks 10-10-10',
    { width: 1, height: 1, bits: 32, compression: 3, masks: [0x3ff00000, 0xffc00, 0x3ff], pixels: [0x00, 0xfe, 0xf7, 0x3f] },
    ['ff7f80'],
  ],
  [
    '32 bits by masks of which one is the whole pixel',
    { width: 1, height: 1, bits: 32, compression: 3, masks: [0xffffffff, 0, 0x1], pixels: [0xff, 0xff, 0xff, 0xff] },
    ['ff00ff'],
  ],
  [
    '32 bits with alpha in a header of 56 bytes',
    {
      header: 56,
      width: 2,
      height: 1,
      bits: 32,
      compression: 3,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: [1, 2, 3, 4, 5, 6, 7, 8],
    },
    ['03020104 07060508'],
  ],
  [
    '32 bits with alpha by BI_ALPHABITFIELDS of Windows CE',
    {
      width: 2,
      height: 1,
      bits: 32,
      compression: 6,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: [1, 2, 3, 4, 5, 6, 7, 8],
    },
    ['03020104 07060508'],
  ],
  [
    '32 bits with an alpha mask, but nothing to be seen: opaque',
    {
      header: 108,
      width: 2,
      height: 1,
      bits: 32,
      compression: 3,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: [1, 2, 3, 0, 5, 6, 7, 0],
    },
    ['030201 070605'],
  ],
  [
    '32 bits whose alpha is full everywhere',
    {
      header: 108,
      width: 1,
      height: 1,
      bits: 32,
      compression: 3,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: [1, 2, 3, 255],
    },
    ['030201'],
  ],
  [
    '64 bits in linear light, also beyond black and white',
    { width: 3, height: 1, bits: 64, pixels: linear(8192, 0, 1755, 4096, -5, 20_000, 8, 8192, 0, 0, 0, 0) },
    ['8000ff80 03ff00ff 00000000'],
  ],
]

for (const [name, parts, rows] of files) {
  test(`reads ${name}`, async () => {
    const file = bmpFile(parts)
    assert.deepEqual(await read(file), rows)
    const { width, height, deep } = await bmpReader.header(file)
    assert.deepEqual({ width, height, deep }, { width: parts.width, height: Math.abs(parts.height), deep: false })
  })
}

test('a file whose last padding is missing is whole', async () => {
  assert.deepEqual(await read(bmpFile({ width: 1, height: 2, bits: 24, pixels: [1, 2, 3, 0, 4, 5, 6] })), ['060504', '030201'])
})

test('the header tells grey and alpha before a pixel is decoded', async () => {
  const tell = async (parts: BmpParts) => {
    const { grey, alpha } = await bmpReader.header(bmpFile(parts))
    return [grey, alpha]
  }
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000]
  assert.deepEqual(await tell({ width: 1, height: 1, bits: 8, colours: [0, WHITE], pixels: [1, 0, 0, 0] }), [true, false])
  assert.deepEqual(await tell({ width: 1, height: 1, bits: 8, colours: [0, RED], pixels: [1, 0, 0, 0] }), [false, false])
  assert.deepEqual(await tell({ width: 1, height: 1, bits: 24, pixels: [1, 2, 3, 0] }), [false, false])
  assert.deepEqual(await tell({ header: 56, width: 1, height: 1, bits: 32, compression: 3, masks, pixels: [1, 2, 3, 4] }), [
    false,
    true,
  ])
  assert.deepEqual(await tell({ width: 1, height: 1, bits: 8, compression: 1, colours: [0], pixels: [0, 1] }), [true, true])
})
