import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { openPicture } from '../../src/heic/picture.ts'
import { decodePixels, heicReader } from '../../src/heic/reader.ts'
import { writeHeic } from '../../src/heic/write-heic.ts'
import { recognise } from '../../src/index.ts'
import { readHeader } from '../../src/pixels/header.ts'
import { UnreadableError } from '../../src/reader.ts'
import { at, corners, cornersOf } from '../support/corners.ts'
import * as heif from '../support/heif.ts'
import { heifSequence } from '../support/heif-sequence.ts'
import { near, solid } from '../support/pictures.ts'

const fourCorners = await heif.encode(corners())
const green = await heif.encode(solid(64, 48, '#28c83c'))
const whole = { width: 128, height: 96 }

/** What a file shows, and that its header says the same. */
async function read(file: Buffer) {
  assert.equal(recognise(file)?.name, 'heic')
  const header = await heicReader.header(file)
  const bitmap = await heicReader.decode(file)
  assert.deepEqual([header.width, header.height], [bitmap.width, bitmap.height])
  assert.equal(bitmap.channels, header.alpha ? 4 : 3)
  assert.equal(bitmap.data.length, bitmap.width * bitmap.height * bitmap.channels)
  return { ...header, ...bitmap, shows: cornersOf(bitmap) }
}

const { turn, mirror, aperture, picture, heif: file } = heif
const transformations: readonly (readonly [
  what: string,
  properties: readonly Buffer[],
  width: number,
  height: number,
  shows: string,
])[] = [
  ['as it is', [], 64, 48, 'RGBW'],
  ['irot 90, anticlockwise', [turn(90)], 48, 64, 'GWRB'],
  ['irot 180', [turn(180)], 64, 48, 'WBGR'],
  ['irot 270', [turn(270)], 48, 64, 'BRWG'],
  ['imir 0, top to bottom', [mirror(0)], 64, 48, 'BWRG'],
  ['imir 1, left to right', [mirror(1)], 64, 48, 'GRWB'],
  ['irot, then imir', [turn(90), mirror(1)], 48, 64, 'WGBR'],
  ['imir, then irot', [mirror(1), turn(90)], 48, 64, 'RBGW'],
  ['clap in the middle', [aperture(fourCorners, 12, 8, 40, 32)], 40, 32, 'RGBW'],
  ['clap of the green corner', [aperture(fourCorners, 34, 2, 26, 20)], 26, 20, 'GGGG'],
  ['clap of the upper half, then irot', [aperture(fourCorners, 0, 0, 64, 24), turn(90)], 24, 64, 'GGRR'],
]
for (const [what, properties, width, height, shows] of transformations) {
  test(`a picture with ${what} is ${width} × ${height}`, async () => {
    const image = await read(file([picture(fourCorners, ...properties)]))
    assert.deepEqual([image.width, image.height, image.shows], [width, height, shows])
  })
}

const large = await heif.encode(corners(320, 240))
const smallParts: readonly (readonly [
  what: string,
  properties: readonly Buffer[],
  width: number,
  height: number,
  shows: string,
])[] = [
  ['in the middle', [aperture(large, 140, 100, 40, 40)], 40, 40, 'RGBW'],
  ['of one corner', [aperture(large, 200, 10, 50, 30)], 50, 30, 'GGGG'],
  ['and then turned', [aperture(large, 150, 20, 20, 40), turn(90)], 40, 20, 'GGRR'],
  ['and then mirrored', [aperture(large, 140, 20, 40, 40), mirror(1)], 40, 40, 'GRGR'],
]
for (const [what, properties, width, height, shows] of smallParts) {
  test(`a picture that shows much less than is coded, ${what}, is ${width} × ${height}`, async () => {
    const image = await read(file([picture(large, ...properties)]))
    assert.deepEqual([image.width, image.height, image.shows], [width, height, shows])
  })
}

test('a picture that shows much less than is coded may be a part of another', async () => {
  const part = { ...picture(large, aperture(large, 140, 100, 40, 40)), hidden: true }
  const same = { type: 'iden', properties: [heif.extent(40, 40)], references: [['dimg', 2]] } as const
  for (const other of [same, heif.grid(1, 1, { width: 40, height: 40 }, [2])]) {
    const image = await read(file([other, part]))
    assert.deepEqual([image.width, image.height, image.shows], [40, 40, 'RGBW'])
  }
})

test('pixels are those of the source, within what compression does', async () => {
  const source = corners()
  const { data } = await read((await writeHeic(source.clone())).bytes)
  const raw = await source.raw().toBuffer()
  const error = raw.reduce((sum, value, index) => sum + Math.abs(value - (data[index] ?? 0)), 0) / raw.length
  assert.ok(error < 3, `mean error ${error}`)
})

test('a grid is put together row by row, and what reaches over its edge is cut off', async () => {
  const tiles = await Promise.all(
    ['#e62828', '#28c83c', '#323cdc', '#f0f0f0'].map((colour) => heif.encode(solid(64, 48, colour))),
  )
  const items = tiles.map((tile) => ({ ...picture(tile), hidden: true }))
  const full = await read(file([heif.grid(2, 2, whole, [2, 3, 4, 5]), ...items]))
  assert.deepEqual([full.width, full.height, full.shows], [128, 96, 'RGBW'])
  const cut = await read(file([heif.grid(2, 2, { width: 101, height: 77 }, [2, 3, 4, 5]), ...items]))
  assert.deepEqual([cut.width, cut.height], [101, 77])
  assert.deepEqual(cornersOf(cut), 'RGBW')
  const turnedGrid = await read(file([heif.grid(2, 2, whole, [2, 3, 4, 5], turn(90)), ...items]))
  assert.deepEqual([turnedGrid.width, turnedGrid.height, turnedGrid.shows], [96, 128, 'GWRB'])
})

test('alpha is the auxiliary item; premultiplied colours are divided by it', async () => {
  const half = await heif.encode(sharp(await corners().ensureAlpha(0.5).png().toBuffer()))
  const image = await read(file([picture(half), heif.alphaOf(half, 1)]))
  assert.equal(image.shows, 'RGBW')
  assert.ok(near([at(image, 16, 12)[3] ?? 0], [128], 3))
  const dark = await heif.encode(sharp(await corners().linear(0.5, 0).ensureAlpha(0.5).png().toBuffer()))
  const premultipliedItem = { ...picture(dark), references: [['prem', 2]] as const }
  assert.equal((await read(file([premultipliedItem, heif.alphaOf(dark, 1)]))).shows, 'RGBW')
})

test('thumbnails are ignored, in whatever order they lie', async () => {
  const thumbnail = (of: number): heif.Item => ({ ...picture(green), references: [['thmb', of]] })
  assert.equal((await read(file([picture(fourCorners), thumbnail(1)]))).shows, 'RGBW')
  assert.equal((await read(file([thumbnail(2), picture(fourCorners)], { primary: 2 }))).shows, 'RGBW')
  // A file that calls its thumbnail the primary item.
  assert.equal((await read(file([thumbnail(2), picture(fourCorners)], { primary: 1 }))).shows, 'RGBW')
})

test('of several pictures it is the primary one', async () => {
  assert.equal((await read(file([picture(green), picture(fourCorners)], { primary: 2 }))).shows, 'RGBW')
  assert.equal((await read(file([picture(green), picture(fourCorners)], { primary: 1 }))).shows, 'GGGG')
})

test('of an image sequence it is the primary item, or else the first frame', async () => {
  assert.equal((await read(heifSequence([fourCorners, green]))).shows, 'RGBW')
  assert.equal((await read(file([picture(fourCorners)], { start: heifSequence([green]) }))).shows, 'RGBW')
})

const SIDE = 100_000
const promising = {
  picture: [{ ...picture(fourCorners), properties: [heif.configuration(fourCorners.colour), heif.extent(SIDE, SIDE)] }],
  grid: [heif.grid(2, 1, { width: SIDE, height: SIDE }, [2, 3]), picture(fourCorners), picture(fourCorners)],
} as const
for (const [what, items] of Object.entries(promising)) {
  test(`a ${what} that promises 10,000 megapixels is too large, and costs no memory`, async () => {
    await assert.rejects(readHeader(file(items)), { code: 'image_too_large' })
    await assert.rejects(heicReader.decode(file(items)), UnreadableError)
    const picture = openPicture(file(items))
    assert.throws(() => decodePixels(picture), UnreadableError)
    assert.ok(picture.calls.lib.HEAPU8.length <= 32 * 1024 * 1024, String(picture.calls.lib.HEAPU8.length))
  })
}

const MANY = 9_000
const excessiveItems = {
  tiles: [
    heif.grid(
      100,
      90,
      { width: 6400, height: 4320 },
      Array.from({ length: MANY }, (_, index) => index + 2),
    ),
    picture(fourCorners),
  ],
  items: [picture(fourCorners), ...Array<heif.Item>(MANY).fill({ type: 'Exif' })],
} as const
for (const [what, items] of Object.entries(excessiveItems)) {
  test(`a file of too many ${what} is refused`, async () => {
    await assert.rejects(heicReader.decode(file(items)), /it asks for more pixels, tiles or items than are possible here/)
  })
}

const tile = picture(fourCorners)
const grid = heif.grid(2, 1, { width: 128, height: 48 }, [2, 3])
const { data = Buffer.alloc(0) } = tile
const wholeFile = file([tile])
const damagedFiles: Readonly<Record<string, Buffer>> = {
  'a tile that lies beyond the file': file([grid, tile, { ...tile, offset: 90_000 }]),
  'a tile of other bytes': file([grid, tile, { ...tile, data: Buffer.alloc(data.length, 0x5a) }]),
  'a tile too few': file([heif.grid(2, 1, { width: 128, height: 48 }, [2]), tile]),
  'a tile that is not there': file([heif.grid(2, 1, { width: 128, height: 48 }, [2, 7]), tile]),
  'a grid made of itself': file([heif.grid(1, 1, { width: 64, height: 48 }, [1])]),
  'another size than its header says': file([
    { ...tile, properties: [heif.configuration(fourCorners.colour), heif.extent(48, 64)] },
  ]),
  'an aperture that reaches beyond the picture': file([picture(fourCorners, aperture(fourCorners, 40, 0, 60, 30))]),
  'no item that is a picture': file([{ type: 'Exif', data: Buffer.alloc(64) }]),
  'no primary item': file([tile], { primary: 9 }),
  'nothing but its brand': wholeFile.subarray(0, 24),
  'half of its boxes': wholeFile.subarray(0, 200),
  'all but its last bytes': wholeFile.subarray(0, -20),
}
for (const [what, bytes] of Object.entries(damagedFiles)) {
  test(`a file with ${what} is unreadable`, async () => {
    await assert.rejects(heicReader.decode(bytes), UnreadableError)
  })
}
