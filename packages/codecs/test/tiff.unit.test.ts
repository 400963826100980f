import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { UnreadableError } from '../src/reader.ts'
import { chunksOf, rowBytes } from '../src/tiff/chunks.ts'
import { decodeLayout } from '../src/tiff/decode.ts'
import { decompressors } from '../src/tiff/decompress.ts'
import { readDirectory } from '../src/tiff/directory.ts'
import { type Layout, layoutOf } from '../src/tiff/layout.ts'
import { libvipsReads } from '../src/tiff/libvips-reads.ts'
import { tiffReader } from '../src/tiff/reader.ts'
import { randomFrom } from './support/damage.ts'
import { photo } from './support/pictures.ts'
import { baseline, packBits, tiffOf } from './support/tiff.ts'

/** The reader of unusual TIFFs, on what libtiff writes of the usual ones. */

const layoutIn = (file: Buffer): Layout => {
  const directory = readDirectory(file)
  const layout = directory && layoutOf(directory)
  assert.ok(layout)
  return layout
}
const source = await photo(150, 90).png().toBuffer()

for (const compression of ['none', 'lzw', 'deflate', 'packbits'] as const)
  for (const predictor of ['none', 'horizontal', 'float'] as const)
    for (const tile of [false, true])
      for (const space of predictor === 'float' ? (['scrgb'] as const) : (['srgb', 'rgb16', 'b-w', 'scrgb'] as const)) {
        test(`${space} by libtiff: ${compression}, predictor ${predictor}, ${tile ? 'tiles' : 'strips'}`, async () => {
          const tiles = tile ? { tile, tileWidth: 64, tileHeight: 32 } : {}
          const file = await sharp(source)
            .toColourspace(space)
            .tiff({ compression, predictor, ...tiles })
            .toBuffer()
          const layout = layoutIn(file)
          assert.deepEqual([layout.width, layout.height, layout.tiled], [150, 90, tile])
          const { data } = await decodeLayout(file, layout)
          const depth = space === 'scrgb' ? 'float' : 'ushort'
          const raw = await sharp(file)
            .toColourspace(space === 'b-w' ? 'b-w' : space)
            .raw({ depth })
            .toBuffer()
          const pixels =
            depth === 'float'
              ? new Float32Array(raw.buffer, raw.byteOffset, raw.length / 4)
              : new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)
          const scale = space === 'scrgb' ? 65_535 : space === 'rgb16' ? 1 : 257
          assert.equal(data.length, pixels.length)
          for (const [at, value] of pixels.entries())
            assert.equal(data[at], Math.round(Math.min(1, Math.max(0, (value * scale) / 65_535)) * 65_535), `sample ${at}`)
        })
      }

test('every code of LZW up to 12 bits, over several tables', async () => {
  const random = randomFrom(5)
  const data = Buffer.from(Array.from({ length: 200 * 200 }, () => random(5) * random(50)))
  const image = sharp(data, { raw: { width: 200, height: 200, channels: 1 } })
  const file = await image.toColourspace('b-w').tiff({ compression: 'lzw', predictor: 'none' }).toBuffer()
  const layout = layoutIn(file)
  const chunks = await Array.fromAsync(chunksOf(file, layout))
  const samples = Buffer.concat(chunks.map(({ data: bytes, rows }) => bytes.subarray(0, rows * rowBytes(layout))))
  assert.ok(samples.equals(data))
})

test('what libtiff writes of the usual kind is left to libvips', async () => {
  for (const compression of ['none', 'lzw', 'deflate', 'packbits', 'jpeg', 'ccittfax4', 'webp'] as const) {
    const bitdepth = compression === 'ccittfax4' ? ({ bitdepth: 1 } as const) : {}
    const grey = compression === 'ccittfax4' ? sharp(source).toColourspace('b-w') : sharp(source)
    assert.ok(libvipsReads(layoutIn(await grey.tiff({ compression, ...bitdepth }).toBuffer())), compression)
  }
})

test('damage ends in a picture or in an UnreadableError, and soon', async () => {
  const values = Array.from({ length: 60 }, (_, index) => (index * 67) % 4_096)
  const rows = Array.from({ length: 20 }, () => packBits(values, 12))
  const files = [
    tiffOf(baseline(20, 20, 3, 12), [Buffer.concat(rows)]),
    tiffOf(
      { ...baseline(20, 20, 3, 8), 284: [2], 322: [32], 323: [32], 259: [5] },
      [1, 2, 3].map(() => Buffer.alloc(400, 7)),
    ),
    tiffOf({ ...baseline(20, 20, 1, 32), 339: [3], 259: [8], 317: [3] }, [Buffer.alloc(300, 9)], true),
    tiffOf({ ...baseline(20, 20, 3, 8), 262: [6], 530: [2, 2] }, [Buffer.alloc(600, 90)]),
    tiffOf({ ...baseline(20, 20, 4, 16), 262: [5], 322: [32], 323: [32] }, [Buffer.alloc(8_192, 90)]),
    tiffOf({ ...baseline(20, 20, 1, 6), 262: [3], 320: new Array<number>(192).fill(7) }, [Buffer.alloc(300, 77)]),
  ]
  const random = randomFrom(11)
  for (const file of files)
    for (let round = 0; round < 400; round++) {
      const damagedFile = Buffer.from(file.subarray(0, round % 5 ? file.length : random(file.length)))
      for (let change = 0; change < 4 && damagedFile.length > 0; change++)
        damagedFile[random(Math.min(damagedFile.length, 250))] = random(256)
      const reader = tiffReader(damagedFile)
      try {
        const header = await reader?.header(damagedFile)
        // As the service does: no pixel of what is too large.
        if (header && header.width * header.height < 1e6) await reader?.decode(damagedFile)
      } catch (cause) {
        assert.ok(cause instanceof UnreadableError, String(cause))
      }
    }
})

test('LZW codes that stand for nothing are refused', () => {
  assert.throws(() => decompressors[5]?.(packBits([256, 300], 9), 10), RangeError)
  assert.deepEqual([...(decompressors[5]?.(packBits([256, 65, 258, 257], 9), 10) ?? [])], [65, 65, 65])
})
