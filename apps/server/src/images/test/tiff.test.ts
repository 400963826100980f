import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { baseline, packBits, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** TIFFs that libvips refuses or shows wrongly, each of one colour; and the message for those that are not supported. */

const { post } = sharedServer()

const SIDE = 20
const COLOUR = [200, 100, 50] as const
const times = (count: number, values: readonly number[]) => Array.from({ length: count }, () => values).flat()
const rows = (values: readonly number[], bits: number) =>
  Buffer.concat(times(SIDE, [0]).map(() => packBits(times(SIDE, values), bits)))
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
const share = (bits: number) => COLOUR.map((value) => Math.round((value / 255) * (2 ** bits - 1)))

const rgb = (bits: number) => baseline(SIDE, SIDE, 3, bits)
const grey = (bits: number) => baseline(SIDE, SIDE, 1, bits)
const floats = times(
  SIDE * SIDE,
  COLOUR.map((value) => value / 255),
)
const tile = (value: number) => new Uint8Array(32 * 32).fill(value)

const readable: Readonly<Record<string, readonly [file: Buffer, shown: readonly number[]]>> = {
  '2-bit RGB': [tiffOf(rgb(2), [rows(share(2), 2)]), [170, 85, 85]],
  '4-bit RGB': [tiffOf(rgb(4), [rows(share(4), 4)]), [204, 102, 51]],
  '10-bit RGB': [tiffOf(rgb(10), [rows(share(10), 10)]), COLOUR],
  '12-bit RGB': [tiffOf(rgb(12), [rows(share(12), 12)]), COLOUR],
  '12-bit RGB in a BigTIFF': [tiffOf(rgb(12), [rows(share(12), 12)], true), COLOUR],
  '32-bit RGB': [tiffOf(rgb(32), [bytesOf(Uint32Array.from(times(SIDE * SIDE, share(32))))]), COLOUR],
  '32-bit grey, white is 0': [
    tiffOf({ ...grey(32), 262: [0] }, [bytesOf(new Uint32Array(SIDE * SIDE).fill(0x40_00_00_00))]),
    [191, 191, 191],
  ],
  '6-bit grey': [tiffOf(grey(6), [rows([32], 6)]), [130, 130, 130]],
  'half floats': [tiffOf({ ...rgb(16), 339: [3] }, [bytesOf(Float16Array.from(floats))]), COLOUR],
  floats: [tiffOf({ ...rgb(32), 339: [3] }, [bytesOf(Float32Array.from(floats))]), COLOUR],
  doubles: [tiffOf({ ...rgb(64), 339: [3] }, [bytesOf(Float64Array.from(floats))]), COLOUR],
  'grey floats from 0 to 1': [
    tiffOf({ ...grey(32), 339: [3] }, [bytesOf(new Float32Array(SIDE * SIDE).fill(0.5))]),
    [127, 127, 127],
  ],
  'grey floats from 0 to 255': [
    tiffOf({ ...grey(32), 339: [3] }, [bytesOf(new Float32Array(SIDE * SIDE).fill(127))]),
    [127, 127, 127],
  ],
  'tiles in separate planes': [tiffOf({ ...rgb(8), 284: [2], 322: [32], 323: [32] }, COLOUR.map(tile)), COLOUR],
  'premultiplied alpha in tiles and planes': [
    tiffOf({ ...baseline(SIDE, SIDE, 4, 8), 284: [2], 322: [32], 323: [32], 338: [1] }, [100, 50, 25, 128].map(tile)),
    [199, 99, 49, 128],
  ],
  // L* 50, a* 40, b* -30 under D50, as LittleCMS shows it.
  '8-bit CIELAB': [tiffOf({ ...rgb(8), 262: [8] }, [rows([128, 40, 226], 8)]), [166, 92, 172]],
  '16-bit CIELAB': [
    tiffOf({ ...rgb(16), 262: [8] }, [bytesOf(Uint16Array.from(times(SIDE * SIDE, [32_768, 10_240, 57_856])))]),
    [165, 91, 171],
  ],
  'turned by its orientation': [
    tiffOf({ ...rgb(32), 274: [6] }, [bytesOf(Uint32Array.from(times(SIDE * SIDE, share(32))))]),
    COLOUR,
  ],
}

for (const [name, [image, shownNumbers]] of Object.entries(readable)) {
  test(`${name} is read by every operation`, async () => {
    const mark = await solid(2, 2, '#ffffff00').png().toBuffer()
    for (const [operation, fields] of [
      ['convert', { format: 'png' }],
      ['resize', { width: 10, height: 10 }],
      ['crop', { x: 0, y: 0, width: 10, height: 10 }],
      ['optimize', { quality: 100 }],
      ['watermark', { scale: 0.1 }],
    ] as const) {
      const answer = await post(operation, fields, operation === 'watermark' ? { image, watermark: mark } : { image })
      assert.equal(answer.status, 200, `${operation}: ${answer.error?.message}`)
      const colour = await pixel(answer.bytes, 5, 5)
      assert.ok(near(colour, shownNumbers, 2), `${operation}: ${colour}, not ${shownNumbers}`)
    }
  })
}

test('more than 8 bits stay 16 where the format is kept', async () => {
  for (const name of ['12-bit RGB', '32-bit RGB', 'floats']) {
    const [image] = readable[name] ?? []
    assert.ok(image)
    const { bytes } = await post('resize', { width: 10, height: 10 }, { image })
    const { format, depth } = await sharp(bytes).metadata()
    assert.deepEqual([format, depth], ['tiff', 'ushort'], name)
  }
})

test('an orientation is applied as in other formats: the first row is the right column', async () => {
  const [red, blue] = [
    [255, 0, 0],
    [0, 0, 255],
  ] as const
  const values = [...times(6, red), ...times(6 * 3, blue)].map((value) => value * 0x1_01_01_01)
  const image = tiffOf({ ...baseline(6, 4, 3, 32), 274: [6] }, [bytesOf(Uint32Array.from(values))])
  const { bytes, headers } = await post('convert', { format: 'png' }, { image })
  assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], ['4', '6'])
  assert.ok(near(await pixel(bytes, 3, 0), red) && near(await pixel(bytes, 3, 5), red))
  assert.ok(near(await pixel(bytes, 0, 0), blue))
})

test('the JPEG inside an old-style JPEG TIFF is the picture', async () => {
  const jpeg = await solid(SIDE, SIDE, '#c86432').jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
  // With something behind the picture that optimize can save.
  const image = Buffer.concat([tiffOf({ ...rgb(8), 259: [6], 262: [6] }, [jpeg]), Buffer.alloc(1_000)])
  for (const operation of ['convert', 'optimize'] as const) {
    const { bytes, status } = await post(operation, {}, { image })
    assert.equal(status, 200)
    assert.ok(near(await pixel(bytes, 5, 5), COLOUR, 6), operation)
  }
})

test('the first page of several is the picture', async () => {
  const first = tiffOf(rgb(8), [rows(COLOUR, 8)])
  const second = baseline(3, 3, 1, 8)
  // The second directory stands behind the first one's pixels.
  const tags = Object.entries({ ...second, 273: [8], 279: [9] })
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  directory.writeUInt16LE(tags.length)
  for (const [index, [tag, [value = 0]]] of tags.entries()) {
    directory.writeUInt16LE(Number(tag), 2 + index * 12)
    directory.writeUInt16LE(3, 4 + index * 12)
    directory.writeUInt32LE(1, 6 + index * 12)
    directory.writeUInt16LE(value, 10 + index * 12)
  }
  first.writeUInt32LE(first.length, first.readUInt32LE(4) + 2 + first.readUInt16LE(8) * 12)
  const image = Buffer.concat([first, directory])
  assert.equal((await sharp(image).metadata()).pages, 2)
  const { bytes } = await post('convert', { format: 'png' }, { image })
  assert.deepEqual([(await sharp(bytes).metadata()).width, near(await pixel(bytes, 5, 5), COLOUR, 2)], [SIDE, true])
})

const noise = await photo(SIDE, SIDE).raw().toBuffer()
const unreadable: Readonly<Record<string, readonly [file: Buffer, sentence: RegExp]>> = {
  'JPEG 2000': [tiffOf({ ...rgb(8), 259: [34_712] }, [noise]), /compressed with JPEG 2000 \(34712\)/],
  LZMA: [tiffOf({ ...rgb(8), 259: [34_925] }, [noise]), /compressed with LZMA \(34925\)/],
  'an unknown compression': [tiffOf({ ...rgb(8), 259: [12_345] }, [noise]), /compressed with method 12345/],
  'old-style JPEG in parts': [tiffOf({ ...rgb(8), 259: [6], 262: [6] }, [noise]), /compressed with old-style JPEG \(6\)/],
  'channels of different depth': [tiffOf({ ...rgb(8), 258: [5, 6, 5] }, [noise]), /differ in depth \(5, 6, 5 bits\)/],
  'YCbCr in 12 bits': [
    tiffOf({ ...rgb(12), 262: [6], 284: [2], 530: [1, 1] }, [tile(1), tile(2), tile(3)]),
    /12-bit YCbCr in separate planes, which is not supported/,
  ],
  'raw camera data': [tiffOf({ ...grey(16), 262: [32_803] }, [noise]), /16-bit raw camera data/],
  'complex numbers': [tiffOf({ ...grey(64), 339: [6] }, [Buffer.alloc(SIDE * SIDE * 8)]), /64-bit complex grey/],
  'no colours named': [tiffOf({ ...grey(8), 262: [] }, [noise]), /PhotometricInterpretation is missing/],
  'strips that are not there': [tiffOf(rgb(12), [noise.subarray(0, 100)]), /it ends before its pixels do/],
}

for (const [name, [image, sentence]] of Object.entries(unreadable)) {
  test(`a TIFF with ${name} is refused with a message that says so`, async () => {
    for (const operation of ['convert', 'optimize'] as const) {
      const { status, error } = await post(operation, {}, { image })
      assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image'], operation)
      assert.match(error?.message ?? '', sentence)
    }
  })
}
