import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '../src/index.ts'
import { usualJpegHeader } from '../src/jpeg-header.ts'
import { readHeader } from '../src/pixels/header.ts'
import { photo } from './support/pictures.ts'

/** As libvips opens it. */
const { usualHeader: _, ...opened } = codecs.jpeg
const picture = photo(60, 40)

const baseline = await picture.clone().jpeg().toBuffer()
const usual: Record<string, Buffer> = {
  baseline,
  progressive: await picture.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  grey: await picture.clone().toColourspace('b-w').jpeg().toBuffer(),
  'a profile': await picture.clone().withIccProfile('p3').jpeg().toBuffer(),
}
for (let orientation = 1; orientation <= 8; orientation++)
  usual[`orientation ${orientation}`] = await picture.clone().withMetadata({ orientation }).jpeg().toBuffer()

for (const [name, file] of Object.entries(usual))
  test(`${name}: the header says what libvips does`, async () => {
    assert.ok(usualJpegHeader(file))
    assert.deepEqual({ ...(await readHeader(file)), codec: opened }, await readHeader(file, opened))
  })

const frameAt = (file: Buffer): number => file.indexOf(Buffer.from([0xff, 0xc0]))
const withByte = (place: (file: Buffer) => number, value: number): Buffer => {
  const file = Buffer.from(baseline)
  file.writeUInt8(value, place(file))
  return file
}
const unusual: Readonly<Record<string, Buffer>> = {
  'four components': await picture.clone().toColourspace('cmyk').jpeg().toBuffer(),
  '12 bits': withByte((file) => frameAt(file) + 4, 12),
  'arithmetic coding': withByte((file) => frameAt(file) + 1, 0xc9),
  'no width': withByte((file) => frameAt(file) + 8, 0),
  'a segment beyond the end': withByte((file) => frameAt(file) + 2, 0xff),
  'a byte between segments': Buffer.concat([baseline.subarray(0, 2), Buffer.of(0), baseline.subarray(2)]),
}
for (const [name, file] of Object.entries(unusual))
  test(`${name}: is left to libvips`, () => assert.equal(usualJpegHeader(file), undefined))

test('a file that ends before its first scan is left to libvips, wherever it ends', () => {
  const file = usual['orientation 6'] ?? assert.fail()
  const scan = file.indexOf(Buffer.from([0xff, 0xda]))
  for (let length = 0; length < scan; length++) assert.equal(usualJpegHeader(file.subarray(0, length)), undefined)
})
