import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import { inspect, sourceOf, unpack } from '../../../test/support/archives.ts'
import { DEFLATED, extraField, fields, STORED, type ZipEntry, zipFile } from '../../../test/support/zip.ts'
import { readEntry } from '../read-entry.ts'

const random = randomFrom(7)
/** Half noise, half zeros: more than one piece of 1 MiB, compressed too. */
const data = Buffer.concat([Buffer.from(Array.from({ length: 1_500_000 }, () => random(256))), Buffer.alloc(1_500_000)])
const small = Buffer.alloc(1_000, 'pixel')
const picture: ZipEntry = { name: 'a.png', data: small, method: DEFLATED }
const deflatedBuffer = deflateRawSync(small)

const whole: readonly (readonly [kind: string, entry: ZipEntry])[] = [
  ['stored', { data, method: STORED }],
  ['deflated', { data, method: DEFLATED }],
  ['stored without compression by Deflate', { data, method: DEFLATED, packed: deflateRawSync(data, { level: 0 }) }],
  ['with sizes behind the data', { data, method: DEFLATED, descriptor: true }],
  ['with sizes in ZIP64 fields', { data, zip64: true, local: zip64Local(data.length) }],
  ['with extra fields before the data alone', { data, local: { extra: extraField(0x5455, Buffer.alloc(9)) } }],
]

function zip64Local(bytes: number) {
  return { bytes: 0xffffffff, packedBytes: 0xffffffff, extra: extraField(1, fields([8, bytes], [8, bytes])) }
}

for (const [kind, entry] of whole) {
  test(`unpacked: ${kind}`, async () => {
    const bytes = zipFile([{ data: Buffer.from('before') }, entry, { data: Buffer.from('behind') }])
    assert.ok((await unpack(bytes, 1)).equals(data))
    assert.equal(String(await unpack(bytes, 2)), 'behind')
  })
}

const refusedTexts: readonly (readonly [lie: string, entry: ZipEntry, message: RegExp])[] = [
  ['more bytes than said', { ...picture, bytes: 999 }, /more bytes than the archive says/],
  ['fewer bytes than said', { ...picture, bytes: 1_001 }, /fewer bytes than the archive says/],
  ['another checksum', { ...picture, crc: 1 }, /checksum is wrong/],
  ['another checksum, stored', { ...picture, method: STORED, crc: 1 }, /checksum is wrong/],
  [
    'data behind the end of Deflate',
    { ...picture, packed: Buffer.concat([deflatedBuffer, small]) },
    /data ends before the entry/,
  ],
  ['data that is cut', { ...picture, packed: deflatedBuffer.subarray(0, -2) }, /damaged/],
  ['data that is none', { ...picture, packed: Buffer.alloc(50, 0xff) }, /damaged/],
  ['no local header', { ...picture, local: { signature: 0 } }, /header is missing/],
  ['another name', { ...picture, local: { name: 'b.png' } }, /another name/],
  ['a longer name', { ...picture, local: { name: 'a.png.exe' } }, /another name|overlaps/],
  ['another method', { ...picture, local: { method: STORED } }, /another method/],
  ['encryption', { ...picture, local: { flags: 1 } }, /another method/],
  ['another size', { ...picture, local: { bytes: 1 } }, /other sizes/],
  ['another compressed size', { ...picture, local: { packedBytes: 1 } }, /other sizes/],
  ['another checksum in its header', { ...picture, local: { crc: 1 } }, /other sizes/],
  ['sizes of zero without a descriptor', { ...picture, local: { bytes: 0, packedBytes: 0 } }, /other sizes/],
  ['damaged ZIP64 sizes', { ...picture, local: { bytes: 0xffffffff, extra: extraField(1, Buffer.alloc(3)) } }, /ZIP64 sizes/],
]

for (const [lie, entry, message] of refusedTexts) {
  test(`that entry alone is refused: ${lie}`, async () => {
    const bytes = zipFile([entry, { name: 'b.png', data: small }])
    await assert.rejects(unpack(bytes, 0), { name: 'ApiError', code: 'invalid_image', message })
    assert.ok((await unpack(bytes, 1)).equals(small))
  })
}

test('extra fields before the data cannot move it into the next entry', async () => {
  const bytes = zipFile([{ ...picture }, { name: 'b.png', data: small }])
  bytes.writeUInt16LE(60, 28)
  await assert.rejects(unpack(bytes, 0), { code: 'invalid_image', message: /overlaps what follows it/ })
})

test('an entry over the limit is not read, let alone unpacked', async () => {
  const bytes = zipFile([picture])
  const [entry] = await inspect(bytes)
  const source = sourceOf(bytes)
  assert.ok(entry)
  await assert.rejects(readEntry(source, entry, 999), { code: 'file_too_large' })
  assert.equal(source.noted.reads, 0)
  assert.equal((await readEntry(source, entry, 1_000)).length, 1)
})

test('a bomb of one entry ends at the size that it declares', async () => {
  const bomb = deflateRawSync(Buffer.alloc(150_000_000), { level: 9 })
  const bytes = zipFile([{ name: 'a.bmp', method: DEFLATED, packed: bomb, bytes: 1_000_000, data: Buffer.alloc(0) }])
  const before = process.memoryUsage().rss
  await assert.rejects(unpack(bytes), { code: 'invalid_image', message: /more bytes than the archive says/ })
  assert.ok(process.memoryUsage().rss - before < 50_000_000)
})

test('a fault of the source is not one of the archive', async () => {
  const bytes = zipFile([picture])
  const [entry] = await inspect(bytes)
  assert.ok(entry)
  const broken = { size: bytes.length, read: () => Promise.reject(new Error('the disk is gone')) }
  await assert.rejects(readEntry(broken, entry, 1_000), { name: 'Error', message: 'the disk is gone' })
  const short = { size: bytes.length, read: () => Promise.resolve(Buffer.alloc(3)) }
  await assert.rejects(readEntry(short, entry, 1_000), { name: 'Error', message: /gave 3 of \d+ bytes/ })
})
