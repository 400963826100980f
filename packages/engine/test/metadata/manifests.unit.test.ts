import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { codecs } from '@pixelmill/codecs'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { box, boxesIn, fullBox } from '@pixelmill/codecs/isobmff/boxes'
import { itemLocationsBody, itemLocationsIn } from '@pixelmill/codecs/isobmff/item-locations'
import { parseExif, serialiseDirectories } from '@pixelmill/codecs/metadata/exif'
import { hasManifest } from '@pixelmill/codecs/metadata/manifests'
import { everyFormat } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { runTask } from '../support/run-task.ts'

/** C2PA manifests: found in every format, and never left in a file that has changed. */

/** The beginning of a manifest store (ISO/IEC 19566-5): a `jumb` box with its description. */
const store = box(
  'jumb',
  box('jumd', Buffer.from('6332706100110010800000aa00389b71', 'hex'), Buffer.from('\x03c2pa\0', 'latin1')),
  Buffer.alloc(500, 7),
)

function inJpeg(file: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('JP\0\x01\0\0\0\x01', 'latin1'), store])
  const head = Buffer.from([0xff, 0xeb, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([file.subarray(0, 2), head, body, file.subarray(2)])
}

function inPng(file: Buffer): Buffer {
  const data = Buffer.concat([Buffer.from('caBX', 'latin1'), store])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(store.length)
  checksum.writeUInt32BE(crc32(data))
  return Buffer.concat([file.subarray(0, 33), length, data, checksum, file.subarray(33)])
}

function inWebp(file: Buffer): Buffer {
  const head = Buffer.from('C2PA\0\0\0\0', 'latin1')
  head.writeUInt32LE(store.length, 4)
  const whole = Buffer.concat([file, head, store, Buffer.alloc(store.length & 1)])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** Before the picture, whose places move. */
function inAvif(file: Buffer): Buffer {
  const uuid = box('uuid', Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'), Buffer.alloc(4), store)
  return Buffer.concat(
    boxesIn(file).flatMap(({ type, body }) => {
      if (type !== 'meta') return [box(type, body), ...(type === 'ftyp' ? [uuid] : [])]
      const inside = boxesIn(body.subarray(4)).map((one) => {
        if (one.type !== 'iloc') return box(one.type, one.body)
        const locations = itemLocationsIn(one.body)
        return box(
          'iloc',
          itemLocationsBody(locations, locations.items, (offset) => offset + uuid.length),
        )
      })
      return [fullBox('meta', 0, 0, ...inside)]
    }),
  )
}

function inTiff(file: Buffer): Buffer {
  const exif = parseExif(file) ?? assert.fail()
  const image = [...exif.image, { tag: 0xcd41, type: 7, count: store.length, data: store }]
  const directories = serialiseDirectories({ ...exif, image }, file.length, 0)
  const whole = Buffer.concat([file, directories])
  whole.writeUInt32LE(file.length, 4)
  return whole
}

const inGif = (file: Buffer): Buffer => {
  const blocks = [...store.toString('latin1').matchAll(/.{1,255}/gs)].map(([text]) =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]),
  )
  const at = 13 + ((file[10] ?? 0) & 0x80 ? 3 * (2 << ((file[10] ?? 0) & 7)) : 0)
  const extension = Buffer.concat([Buffer.from('\x21\xff\x0bC2PA_GIF\x01\0\0', 'latin1'), ...blocks, Buffer.alloc(1)])
  return Buffer.concat([file.subarray(0, at), extension, file.subarray(at)])
}

const pictures = await everyFormat()
const embedding = { jpeg: inJpeg, png: inPng, webp: inWebp, avif: inAvif, tiff: inTiff, gif: inGif } as const
const cases = Object.entries(embedding).map(([name, embed]) => {
  const plain = pictures[name] ?? assert.fail()
  return { format: name as FormatName, plain, signed: embed(plain) }
})

test('an AVIF that is cut or has more behind its boxes is not emptied, and where its places cannot change the manifest is blanked', () => {
  const { signed = assert.fail(), plain } = cases.find(({ format }) => format === 'avif') ?? assert.fail()
  const cut = plain.subarray(0, plain.length - 5)
  assert.ok(codecs.avif.strip?.(cut).equals(cut))
  const withMovie = Buffer.concat([signed, box('moov', Buffer.alloc(8))])
  const strippedFile = codecs.avif.strip?.(withMovie) ?? assert.fail()
  assert.deepEqual(
    [strippedFile.length, hasManifest(strippedFile, codecs.avif), strippedFile.includes('c2pa')],
    [withMovie.length, false, false],
  )
})

for (const { format, plain, signed } of cases) {
  test(`${format}: a manifest is found, and no other file has one`, () => {
    assert.deepEqual([hasManifest(signed, codecs[format]), hasManifest(plain, codecs[format])], [true, false])
    for (let cut = 0; cut < signed.length; cut += 11) hasManifest(signed.subarray(0, cut), codecs[format])
  })

  test(`${format}: a stripped file shows the same picture without it`, async () => {
    const strippedFile = codecs[format].strip?.(signed) ?? assert.fail()
    assert.equal(hasManifest(strippedFile, codecs[format]), false)
    assert.equal(strippedFile.includes('c2pa'), false)
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    assert.ok((await pixels(strippedFile)).equals(await pixels(plain)))
  })

  test(`${format}: every answer says that it was removed`, async () => {
    const recipe = recipeSchema.parse({
      steps: [{ resize: { width: 60 } }],
      outputs: [
        { name: 'a', format: 'jpeg' },
        { name: 'b', format: 'png', metadata: 'all+gps' },
      ],
    })
    const result = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, signed)
    assert.deepEqual(
      result.report.outputs.map(({ contentCredentials }) => contentCredentials),
      ['removed', 'removed'],
    )
    const optimization = await runTask('optimize', { quality: 75, metadata: 'all', icc: 'srgb', hdr: 'keep' }, signed)
    assert.equal(optimization.report.contentCredentials, 'removed')
    const [first = Buffer.alloc(0)] = optimization.files
    assert.equal(hasManifest(first, codecs[optimization.report.format]), false)
    const usual = await runTask('optimize', { quality: 75, metadata: 'none', icc: 'srgb', hdr: 'keep' }, plain)
    assert.equal(usual.report.contentCredentials, undefined)
  })
}
