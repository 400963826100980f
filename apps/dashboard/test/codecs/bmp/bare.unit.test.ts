import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognise } from '@pixelmill/codecs'
import { withFileHeader } from '@pixelmill/codecs/bmp/bare'
import { bmpReader } from '@pixelmill/codecs/bmp/reader'
import { bmpFile } from '@pixelmill/codecs/test/support/bmp'
import { looksLikePicture } from '../../../src/pages/batches/looks-like-picture.ts'

/** Bitmaps without a file header, as in `.dib` files. */

const FILE_HEADER = 14
const row = (bytes: number) => Array.from({ length: 4 * bytes }, (_, index) => (index * 37) % 256)
const RED = 0xf800
const GREEN = 0x07e0
const BLUE = 0x001f

const kinds: Readonly<Record<string, Buffer>> = {
  '24 bits': bmpFile({ width: 5, height: 4, bits: 24, pixels: row(16) }),
  'rows from the top': bmpFile({ width: 5, height: -4, bits: 24, pixels: row(16) }),
  'a palette of all colours': bmpFile({
    width: 8,
    height: 4,
    bits: 8,
    colours: Array.from({ length: 256 }, (_, index) => index * 0x01_01_01),
    pixels: row(8),
  }),
  'a short palette': bmpFile({
    width: 8,
    height: 4,
    bits: 4,
    colours: [0xff0000, 0x00ff00, 0x0000ff],
    saidColours: 3,
    pixels: new Array(16).fill(0x12),
  }),
  'masks behind the header': bmpFile({
    width: 8,
    height: 4,
    bits: 16,
    compression: 3,
    edit: () => {},
    pixels: row(16),
    masks: [RED, GREEN, BLUE],
  }),
  "OS/2's header": bmpFile({ header: 12, width: 8, height: 4, bits: 1, colours: [0, 0xffffff], pixels: row(4) }),
}

for (const [name, whole] of Object.entries(kinds))
  test(`a bitmap without a file header: ${name}`, async () => {
    const bare = whole.subarray(FILE_HEADER)
    assert.equal(recognise(bare)?.name, 'bmp')
    assert.ok(await looksLikePicture('clipboard', new Blob([new Uint8Array(bare)])))
    assert.deepEqual(await bmpReader.header(bare), await bmpReader.header(whole))
    assert.deepEqual(await bmpReader.decode(bare), await bmpReader.decode(whole))
  })

test('a whole file stays as it is, and other files are no bitmaps', () => {
  const [whole = Buffer.alloc(0)] = Object.values(kinds)
  assert.equal(withFileHeader(whole), whole)
  const texts = ['(a note in brackets, about nothing, that goes on and on for more than a line)', '|\0\0\0'.padEnd(64, '\0')]
  for (const text of texts) assert.equal(recognise(Buffer.from(text, 'latin1')), undefined)
  const bare = Buffer.from(whole.subarray(FILE_HEADER))
  bare.writeUInt16LE(2, 12)
  assert.equal(recognise(bare), undefined)
})
