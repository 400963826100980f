import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import type { FormatName } from '../../src/image-formats.ts'
import { codecs } from '../../src/index.ts'
import { parseExif } from '../../src/metadata/exif.ts'
import { exifFacts, iptcFacts } from '../../src/metadata/facts.ts'
import { keptBlocks } from '../../src/metadata/policy.ts'
import { readBlocks } from '../../src/metadata/read-blocks.ts'
import { everyFormat, photo } from '../support/pictures.ts'

/** Blocks that were damaged or made to do harm. */

const XMP = (inside: string) =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  )
const whole = XMP('<dc:title>Title</dc:title>')
const exif =
  (
    await sharp(
      await photo(32, 32)
        .jpeg()
        .withExif({ IFD0: { Artist: 'Ana' }, IFD3: { GPSLatitude: '1/1 2/1 3/1' } })
        .toBuffer(),
    ).metadata()
  ).exif?.subarray(6) ?? assert.fail()

function readAll(bytes: Buffer, format: FormatName): void {
  const blocks = readBlocks(bytes, codecs[format])
  keptBlocks(blocks, 'all+gps')
  exifFacts(blocks, { gps: true })
  iptcFacts(blocks)
}

test('cut and changed files of every format are read without a fault', async () => {
  for (const [name, plain] of Object.entries(await everyFormat())) {
    const format = name as FormatName
    const container = codecs[format].container
    if (!container) continue
    const bytes = container.write(plain, { exif, xmp: whole }, { width: 240, height: 160 })
    assert.equal(exifFacts(readBlocks(bytes, codecs[format]), { gps: false }).Artist, 'Ana', format)
    for (let cut = 0; cut < 60; cut++) readAll(bytes.subarray(0, Math.floor((bytes.length * cut) / 60)), format)
    for (let change = 0; change < 200; change++) {
      const copy = Buffer.from(bytes)
      for (let flip = 0; flip < 4; flip++) copy[(change * 7_919 + flip * 104_729) % copy.length] = (change * 31 + flip * 17) % 256
      readAll(copy, format)
    }
  }
})

test('a directory that points to itself, counts of four billion and values outside of the block end', () => {
  const circle = Buffer.from(exif)
  const image = parseExif(exif)?.image ?? []
  assert.ok(image.some(({ tag }) => tag === 0x013b))
  const pointer = circle.indexOf(Buffer.from([0x25, 0x88]))
  assert.ok(pointer > 0)
  circle.writeUInt32LE(8, pointer + 8)
  assert.doesNotThrow(() => exifFacts({ exif: circle }, { gps: true }))
  for (let at = 8; at + 4 <= exif.length; at++) {
    const copy = Buffer.from(exif)
    copy.writeUInt32LE(0xffff_ffff, at)
    const keptExif = keptBlocks({ exif: copy }, 'all+gps').exif
    assert.ok((keptExif?.length ?? 0) <= 2 * exif.length)
  }
})

test('fields that share their bytes do not make the copy larger than a block can be', () => {
  const fields = 900
  const tiff = Buffer.alloc(8 + 2 + fields * 12 + 4 + 60_000)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(fields, 8)
  for (let index = 0; index < fields; index++) {
    const at = 10 + index * 12
    tiff.writeUInt16LE(0xc000 + index, at)
    tiff.writeUInt16LE(1, at + 2)
    tiff.writeUInt32LE(60_000, at + 4)
    tiff.writeUInt32LE(tiff.length - 60_000, at + 8)
  }
  assert.ok((keptBlocks({ exif: tiff }, 'all').exif?.length ?? 0) <= tiff.length)
})

test('packets with entities, of ten megabytes, or ten thousand levels deep are left out at once', () => {
  const bomb = Buffer.from(`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${whole}`)
  const large = XMP(`<dc:title>${'x'.repeat(10_000_000)}</dc:title>`)
  const deep = XMP(`${'<dc:a>'.repeat(10_000)}${'</dc:a>'.repeat(10_000)}`)
  const incomplete = whole.subarray(0, whole.length - 20)
  for (const xmp of [bomb, large, deep, incomplete, Buffer.from('no xml'), Buffer.alloc(100)]) {
    assert.equal(keptBlocks({ xmp }, 'all').xmp, undefined)
    assert.deepEqual(iptcFacts({ xmp }), {})
  }
  assert.match(keptBlocks({ xmp: whole }, 'all').xmp?.toString() ?? '', /Title/)
})
