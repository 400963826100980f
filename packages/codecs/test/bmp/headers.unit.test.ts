import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bmpReader } from '../../src/bmp/reader.ts'
import { recognise } from '../../src/index.ts'
import { UnreadableError } from '../../src/reader.ts'
import { type BmpParts, bmpFile, read } from '../support/bmp.ts'

const palette: BmpParts = { width: 2, height: 1, bits: 8, colours: [0xff0000, 0x0000ff], pixels: [1, 0, 0, 0] }
const plain: BmpParts = { width: 1, height: 1, bits: 24, pixels: [1, 2, 3, 0] }

// OS/2 1, OS/2 2 cut short at several lengths and whole, and each of Windows' versions.
for (const header of [12, 16, 24, 40, 48, 52, 56, 64, 108, 124]) {
  test(`reads a header of ${header} bytes`, async () => {
    const file = bmpFile({ ...palette, header, ...(header < 36 && { pixels: [1, 0, 0, 0] }) })
    assert.equal(recognise(file)?.name, 'bmp')
    assert.deepEqual(await read(file), ['0000ff ff0000'])
  })
}

test('reads the first of several bitmaps in an OS/2 array', async () => {
  const first = bmpFile(palette)
  const second = bmpFile(plain)
  const array = Buffer.alloc(14)
  array.write('BA')
  array.writeUInt32LE(14, 2)
  first.writeUInt32LE(first.readUInt32LE(10) + 14, 10)
  const file = Buffer.concat([array, first, second])
  assert.equal(recognise(file)?.name, 'bmp')
  assert.deepEqual(await read(file), ['0000ff ff0000'])
})

test('sizes, offsets and planes that do not matter are not asked', async () => {
  const file = bmpFile(plain)
  file.writeUInt32LE(0xffffffff, 2)
  file.writeUInt16LE(999, 26)
  file.writeUInt32LE(0xffffffff, 34)
  file.writeInt32LE(-1, 38)
  assert.deepEqual(await read(file), ['030201'])
})

test('a text that begins with BM is no BMP, nor is the beginning of one', () => {
  assert.equal(recognise(Buffer.from('BMW builds cars in Munich, and has done so for a hundred years or more.')), undefined)
  assert.equal(recognise(bmpFile(plain).subarray(0, 20)), undefined)
  assert.equal(recognise(Buffer.from('BM')), undefined)
})

const header = (edit: (header: Buffer) => void): Buffer => bmpFile({ ...plain, edit })
const withField = (at: number, value: number): Buffer => {
  const file = bmpFile(plain)
  file.writeUInt32LE(value, at)
  return file
}
const refusals: readonly (readonly [file: Buffer, message: string])[] = [
  [bmpFile(plain).subarray(0, 30), 'it ends within its header'],
  [bmpFile(plain).subarray(0, 54), 'it ends before its pixels'],
  [bmpFile(plain).subarray(0, 55), 'it ends before its pixels do'],
  [bmpFile({ width: 1, height: -2, bits: 24, pixels: [1, 2, 3, 0, 4, 5] }), 'it ends before its pixels do'],
  [withField(10, 20), 'its pixels begin within its header'],
  [withField(10, 0xffffffff), 'it ends before its pixels'],
  [header((bytes) => bytes.writeInt32LE(0, 4)), 'its header says a width of 0'],
  [header((bytes) => bytes.writeInt32LE(-5, 4)), 'its header says a width of -5'],
  [header((bytes) => bytes.writeInt32LE(0, 8)), 'its header says a height of 0'],
  [header((bytes) => bytes.writeUInt16LE(33, 14)), 'its header says 33 bits a pixel'],
  [header((bytes) => bytes.writeUInt32LE(1, 16)), 'its header says 24 bits a pixel in compression 1'],
  [header((bytes) => bytes.writeUInt32LE(77, 16)), 'its header says 24 bits a pixel in compression 77'],
  [header((bytes) => bytes.writeUInt32LE(5, 16)), 'its header says that it holds a PNG, which it does not'],
  [
    bmpFile({ ...plain, header: 124, edit: (bytes) => bytes.writeUInt32LE(4, 16) }),
    'its header says that it holds a JPEG, which it does not',
  ],
  [bmpFile({ ...palette, colours: [] }), 'it has no colour table'],
  [
    bmpFile({ width: 1, height: 1, bits: 32, compression: 3, masks: [0, 0, 0], pixels: [1, 2, 3, 4] }),
    'its channel masks are empty',
  ],
  [
    bmpFile({ width: 1, height: 1, bits: 32, compression: 3, masks: [5, 8, 16], pixels: [1, 2, 3, 4] }),
    'its channel mask 0x5 has a hole',
  ],
  [bmpFile({ header: 24, width: 1, height: 1, bits: 32, compression: 3, pixels: [1] }), 'it ends within its channel masks'],
]
for (const [file, message] of refusals) {
  test(`refuses a file since ${message}`, async () => {
    await assert.rejects(bmpReader.decode(file), (error) => error instanceof UnreadableError && error.message === message)
  })
}

test('a picture of four billion pixels a side is measured, but not decoded', async () => {
  const file = header((bytes) => {
    bytes.writeInt32LE(0x7fffffff, 4)
    bytes.writeInt32LE(-0x80000000, 8)
  })
  const { width, height } = await bmpReader.header(file)
  assert.deepEqual([width, height], [0x7fffffff, 0x80000000])
  await assert.rejects(bmpReader.decode(file), { message: 'it has more than 80 megapixels' })
})
