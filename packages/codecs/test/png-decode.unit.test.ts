import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { codecs } from '../src/index.ts'
import { readHeader } from '../src/pixels/header.ts'
import { openImage } from '../src/pixels/open.ts'
import { decodePng } from '../src/png-decode.ts'
import { chunk, chunksIn, SIGNATURE } from '../src/png-file.ts'
import { seededRandom } from './photographs/random.ts'
import { photo } from './support/pictures.ts'

const random = seededRandom(3)

/** Soft shading, so that each filter is used, or noise of extremes. */
function picture(width: number, height: number, channels: 3 | 4, isNoise = false): Sharp {
  const data = Buffer.from(
    Array.from({ length: width * height * channels }, (_, at) =>
      isNoise ? (random() < 0.5 ? 0 : 255) : 128 + 90 * Math.sin(at / (7 + (at % channels))) + 20 * random(),
    ),
  )
  return sharp(data, { raw: { width, height, channels } })
}

async function assertSame(file: Buffer, what: string): Promise<void> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  const own = decodePng(file) ?? assert.fail(what)
  assert.deepEqual([own.width, own.height, own.channels], [info.width, info.height, info.channels], what)
  assert.deepEqual(Buffer.from(own.data), data, what)
}

test('pictures of all small sizes are decoded as by libvips, with and without filters', async () => {
  for (const channels of [3, 4] as const)
    for (let side = 1; side <= 40; side++)
      for (const adaptiveFiltering of [true, false]) {
        const pixels = picture(side, 41 - side, channels, side % 2 === 0)
        await assertSame(await pixels.png({ adaptiveFiltering }).toBuffer(), `${side}, ${channels} channels`)
      }
})

test('a photograph in several chunks of pixels, with texts and times around them', async () => {
  const file = await photo(300, 200).png({ adaptiveFiltering: true }).toBuffer()
  const beforeEnd = file.length - 12
  const text = chunk('tEXt', Buffer.from('Comment\0words', 'latin1'))
  await assertSame(
    Buffer.concat([file.subarray(0, 33), text, file.subarray(33, beforeEnd), text, file.subarray(beforeEnd)]),
    'texts',
  )
  const data = Buffer.concat([...chunksIn(file)].filter(({ type }) => type === 'IDAT').map((part) => part.data))
  const parts = Array.from({ length: 10 }, (_, at) => {
    const size = Math.ceil(data.length / 10)
    return chunk('IDAT', data.subarray(at * size, (at + 1) * size))
  })
  const inParts = Buffer.concat([file.subarray(0, 33), ...parts, file.subarray(beforeEnd), Buffer.from('bytes behind the end')])
  await assertSame(inParts, 'ten chunks')
})

/** A file of these chunks in their order. */
const fileOf = (...chunks: readonly (readonly [type: string, data: Buffer])[]) =>
  Buffer.concat([SIGNATURE, ...chunks.map(([type, data]) => chunk(type, data))])

test('files that are not of plain 8-bit colour are left to libvips', async () => {
  const soft = picture(40, 30, 3)
  const kinds: readonly (readonly [string, Promise<Buffer>])[] = [
    ['grey', soft.clone().grayscale().toColourspace('b-w').png().toBuffer()],
    ['palette', soft.clone().png({ palette: true }).toBuffer()],
    ['16 bits', soft.clone().toColourspace('rgb16').png().toBuffer()],
    ['interlaced', soft.clone().png({ progressive: true }).toBuffer()],
    ['a profile', soft.clone().withIccProfile('p3').png().toBuffer()],
    ['another format', soft.clone().webp().toBuffer()],
  ]
  for (const [what, file] of kinds) assert.equal(decodePng(await file), undefined, what)
  assert.equal(decodePng(Buffer.alloc(0)), undefined)
  assert.equal(decodePng(SIGNATURE), undefined)
})

test('whatever is unusual or damaged is left to libvips', async () => {
  const file = await picture(40, 30, 3).png({ adaptiveFiltering: true }).toBuffer()
  const header = file.subarray(16, 29)
  const data = Buffer.concat([...chunksIn(file)].filter(({ type }) => type === 'IDAT').map((part) => part.data))
  const end = ['IEND', Buffer.alloc(0)] as const
  const sound = fileOf(['IHDR', header], ['IDAT', data], end)
  await assertSame(sound, 'sound')
  const rows = inflateSync(data)
  const unknownFilter = Buffer.from(rows)
  unknownFilter[121 * 7] = 5
  const sizeOf = (width: number, height: number) => {
    const other = Buffer.from(header)
    other.writeUInt32BE(width, 0)
    other.writeUInt32BE(height, 4)
    return other
  }
  const faults: Record<string, Buffer> = {
    'no end': sound.subarray(0, -12),
    'half of the pixels': fileOf(['IHDR', header], ['IDAT', data.subarray(0, data.length >> 1)], end),
    'no pixels': fileOf(['IHDR', header], end),
    'a row too few': fileOf(['IHDR', header], ['IDAT', deflateSync(rows.subarray(121))], end),
    'a row too many': fileOf(['IHDR', header], ['IDAT', deflateSync(Buffer.concat([rows, rows.subarray(0, 121)]))], end),
    'an unknown filter': fileOf(['IHDR', header], ['IDAT', deflateSync(unknownFilter)], end),
    'a wrong checksum of zlib': fileOf(['IHDR', header], ['IDAT', Buffer.concat([data.subarray(0, -1), Buffer.from([1])])], end),
    'pixels before and behind a text': fileOf(
      ['IHDR', header],
      ['IDAT', data.subarray(0, 50)],
      ['tEXt', Buffer.from('a\0b')],
      ['IDAT', data.subarray(50)],
      end,
    ),
    'two headers': fileOf(['IHDR', header], ['IHDR', header], ['IDAT', data], end),
    'a text first': fileOf(['tEXt', Buffer.from('a\0b')], ['IHDR', header], ['IDAT', data], end),
    'an animation': fileOf(['IHDR', header], ['acTL', Buffer.alloc(8)], ['IDAT', data], end),
    'a transparent colour': fileOf(['IHDR', header], ['tRNS', Buffer.alloc(6)], ['IDAT', data], end),
    'no width': fileOf(['IHDR', sizeOf(0, 30)], ['IDAT', data], end),
    'no height': fileOf(['IHDR', sizeOf(40, 0)], ['IDAT', data], end),
    'a row of a million pixels': fileOf(['IHDR', sizeOf(1_000_000, 1)], ['IDAT', data], end),
  }
  for (const [what, bytes] of Object.entries(faults)) assert.equal(decodePng(bytes), undefined, what)
  for (const { at, data: part } of chunksIn(sound)) {
    const damagedFile = Buffer.from(sound)
    const checksumAt = at + 8 + part.length
    damagedFile.writeUInt32BE((damagedFile.readUInt32BE(checksumAt) ^ 1) >>> 0, checksumAt)
    assert.equal(decodePng(damagedFile), undefined, 'a wrong checksum')
  }
})

test('changed bytes never give other pixels than libvips, and nothing that it refuses', async () => {
  const file = await picture(60, 40, 4).png({ adaptiveFiltering: true }).toBuffer()
  for (let round = 0; round < 300; round++) {
    const changedFile = Buffer.from(file)
    const at = 8 + Math.floor(random() * (file.length - 8))
    changedFile[at] = Math.floor(random() * 256)
    for (const { at: begin, data, type } of [...chunksIn(changedFile)])
      if (round % 3 > 0)
        changedFile.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type, 'latin1'), data])), begin + 8 + data.length)
    if (decodePng(changedFile)) await assertSame(changedFile, `byte ${at}`)
  }
})

test('only pixels that need no turn and no conversion are read so', async () => {
  const pixels = picture(40, 30, 3)
  const isRead = async (file: Buffer) => {
    const image = await openImage(file, await readHeader(file), codecs.png)
    return image.samples?.() !== undefined
  }
  const file = await pixels.clone().png().toBuffer()
  const withChunk = (type: string, data: Buffer) => Buffer.concat([file.subarray(0, 33), chunk(type, data), file.subarray(33)])
  const gamma = Buffer.alloc(4)
  gamma.writeUInt32BE(100_000)
  assert.equal(await isRead(file), true)
  assert.equal(await isRead(withChunk('gAMA', gamma)), false)
  assert.equal(await isRead(withChunk('cICP', Buffer.from([12, 13, 0, 1]))), false)
  assert.equal(await isRead(await pixels.clone().withMetadata({ orientation: 6 }).png().toBuffer()), false)
  assert.equal(await isRead(await pixels.clone().withIccProfile('p3').png().toBuffer()), false)
})
