import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { exifFacts, iptcFacts } from '@pixelmill/codecs/metadata/facts'
import { readBlocks } from '@pixelmill/codecs/metadata/read-blocks'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import type { MetadataPolicy } from '../../src/recipe/fields.ts'
import { type OutputFormat, recipeSchema } from '../../src/recipe/recipe.ts'
import { runTask } from '../support/run-task.ts'

/** What answers carry of a source's metadata, by its field `metadata`. */

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" hdrgm:Version="1.0"
    exif:GPSLatitude="47,30N" photoshop:City="Basel" photoshop:Credit="Sol &amp; Daughters" xmp:Label="best"
    Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia">
   <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ana Sol</rdf:li></rdf:Alt></dc:rights>
   <dc:subject><rdf:Bag><rdf:li>cat</rdf:li><rdf:li>dog</rdf:li></rdf:Bag></dc:subject>
  </rdf:Description></rdf:RDF></x:xmpmeta>`

/** A dataset of the picture's record. */
const dataset = (number: number, text: string) =>
  Buffer.concat([Buffer.from([0x1c, 2, number, 0, text.length]), Buffer.from(text, 'latin1')])
const IPTC = Buffer.concat([dataset(80, 'Ana Sol'), dataset(90, 'Basel'), dataset(116, 'Ana Sol 2026'), dataset(120, 'A cat')])

const exif = {
  IFD0: { Artist: 'Ana Sol', Copyright: 'Ana Sol', Make: 'Camera & Co', Orientation: '6' },
  IFD2: { FNumber: '28/10', UserComment: 'hello' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '47/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '7/1 0/1 36/1' },
}
const plain = await photo(120, 80).jpeg().withExif(exif).withXmp(XMP).withMetadata({ orientation: 6 }).toBuffer()
const source = codecs.jpeg.container?.write(plain, { iptc: IPTC }, { width: 120, height: 80 }) ?? assert.fail()

const make = async (bytes: Buffer, output: object): Promise<Buffer> => {
  const recipe = recipeSchema.parse({ steps: [{ resize: { width: 60 } }], outputs: [output] })
  const { files } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, bytes)
  return files[0] ?? assert.fail()
}

const targets = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const satisfies readonly (OutputFormat & FormatName)[]

describe('each policy, in each format', () => {
  for (const format of targets) {
    const metadataAfter = async (metadata: MetadataPolicy) => {
      const bytes = await make(source, { format, metadata })
      const blocks = readBlocks(bytes, codecs[format])
      return { bytes, exif: exifFacts(blocks, { gps: true }), iptc: iptcFacts(blocks), known: await sharp(bytes).metadata() }
    }

    test(`${format}: none`, async () => {
      const { bytes, exif, iptc, known } = await metadataAfter('none')
      assert.deepEqual([exif.Artist, exif.Make, exif.gps, iptc], [undefined, undefined, undefined, {}])
      assert.equal(known.xmp, undefined)
      assert.equal(bytes.includes('Ana Sol'), false)
    })

    test(`${format}: copyright`, async () => {
      const { bytes, exif, iptc, known } = await metadataAfter('copyright')
      assert.deepEqual([exif.Artist, exif.Copyright, exif.Make, exif.gps], ['Ana Sol', 'Ana Sol', undefined, undefined])
      assert.equal(iptc.copyright, '© Ana Sol')
      assert.equal(iptc.credit, 'Sol & Daughters')
      assert.match(String(iptc.digitalSourceType), /trainedAlgorithmicMedia$/)
      assert.deepEqual([iptc.keywords, iptc.description], [undefined, undefined])
      assert.match(known.xmp?.toString() ?? '', /© Ana Sol/)
      assert.equal(bytes.includes('Basel'), false)
    })

    test(`${format}: all, but places`, async () => {
      const { bytes, exif, iptc, known } = await metadataAfter('all')
      assert.deepEqual([exif.Make, exif.FNumber, exif.gps], ['Camera & Co', 2.8, undefined])
      assert.deepEqual([iptc.keywords, iptc.description], [['cat', 'dog'], 'A cat'])
      assert.doesNotMatch(known.xmp?.toString() ?? '', /GPS|Basel|hdrgm/)
      assert.equal(bytes.includes('Basel'), false)
      assert.ok(bytes.includes('Camera & Co'))
    })

    test(`${format}: all, with places`, async () => {
      const { exif, known } = await metadataAfter('all+gps')
      assert.equal(exif.gps?.latitude, 47.5)
      assert.equal(exif.gps?.longitude?.toFixed(2), '-7.01')
      assert.match(known.xmp?.toString() ?? '', /GPSLatitude="47,30N"/)
    })

    test(`${format}: the pixels are upright, and no field says otherwise`, async () => {
      const { known } = await metadataAfter('all')
      assert.deepEqual([known.width, known.height, known.orientation ?? 1], [60, 90, 1])
    })
  }
})

test('a file that optimize answers as it came keeps its orientation with its metadata', async () => {
  const small = codecs.jpeg.container?.write(
    await photo(64, 48).jpeg({ quality: 20 }).withExif(exif).withMetadata({ orientation: 6 }).toBuffer(),
    {},
    { width: 64, height: 48 },
  )
  assert.ok(small)
  const { files, report } = await runTask('optimize', { quality: 75, metadata: 'all', icc: 'srgb', hdr: 'keep' }, small)
  const [bytes = Buffer.alloc(0)] = files
  const metadata = await sharp(bytes).metadata()
  assert.deepEqual([metadata.orientation, metadata.width, report.width], [6, 64, 48])
  assert.equal(exifFacts(readBlocks(bytes, codecs.jpeg), { gps: true }).Artist, 'Ana Sol')
  assert.ok(bytes.length <= small.length, `${small.length} → ${bytes.length}`)
})

test('maxBytes counts the metadata, also where IPTC becomes XMP and takes more', async () => {
  // As XMP each keyword takes twice its bytes.
  const keywords = Array.from({ length: 40 }, (_, number) => dataset(25, `keyword ${number}`))
  const withoutXmp = await photo(120, 80).jpeg().withExif(exif).toBuffer()
  const iptc = Buffer.concat([IPTC, ...keywords])
  const withIptc = codecs.jpeg.container?.write(withoutXmp, { iptc }, { width: 120, height: 80 }) ?? assert.fail()
  for (const format of ['jpeg', 'webp', 'avif', 'jxl'] as const) {
    for (const [from, maxBytes] of [
      [source, 3_500],
      [source, 4_000],
      [withIptc, 5_000],
    ] as const) {
      const bytes = await make(from, { format, metadata: 'all', maxBytes })
      assert.ok(bytes.length <= maxBytes, `${format}: ${bytes.length} of ${maxBytes}`)
      assert.equal(exifFacts(readBlocks(bytes, codecs[format]), { gps: false }).Artist, 'Ana Sol')
    }
  }
  const { smallestBytes } = await make(source, { format: 'jpeg', metadata: 'all', maxBytes: 1_200 }).then(
    () => assert.fail('it cannot fit'),
    (error) => error.facts,
  )
  const smallestFile = await make(source, { format: 'jpeg', metadata: 'all', maxBytes: smallestBytes })
  assert.ok(smallestFile.length <= smallestBytes)
})

describe('icc=keep', () => {
  const red = { create: { width: 32, height: 32, channels: 3, background: '#ff0000' } } as const
  // The colours of sRGB's red in Display P3 would be [234, 51, 35]: here the pixels are the red of Display P3 itself.
  const wide = async () => {
    const profile = (await sharp(await sharp(red).png().withIccProfile('p3').toBuffer()).metadata()).icc ?? assert.fail()
    return (
      codecs.png.container?.write(await sharp(red).png().toBuffer(), { icc: profile }, { width: 32, height: 32 }) ?? assert.fail()
    )
  }

  for (const format of targets) {
    test(`${format}: colours beyond sRGB stay as they are, with their profile`, async () => {
      const bytes = await make(await wide(), { format, icc: 'keep', quality: 95 })
      const { icc } = await sharp(bytes).metadata()
      assert.deepEqual(icc, (await sharp(await wide()).metadata()).icc)
      const pixel = await sharp(bytes, { ignoreIcc: true }).removeAlpha().toColourspace('srgb').raw().toBuffer()
      assert.ok((pixel[0] ?? 0) >= 250 && (pixel[1] ?? 99) <= 6 && (pixel[2] ?? 99) <= 6, `${pixel.subarray(0, 3).join()}`)
    })
  }

  test('by default they are converted, and there is no profile', async () => {
    const bytes = await make(await wide(), { format: 'png' })
    assert.equal((await sharp(bytes).metadata()).icc, undefined)
  })

  test('outputs of one recipe may differ', async () => {
    const recipe = recipeSchema.parse({
      outputs: [
        { name: 'wide', format: 'png', icc: 'keep' },
        { name: 'usual', format: 'png' },
      ],
    })
    const { files } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, await wide())
    const profiles = await Promise.all(files.map(async (bytes) => (await sharp(bytes).metadata()).icc !== undefined))
    assert.deepEqual(profiles, [true, false])
  })

  test('a grey output of a picture with colours has no profile of colours', async () => {
    const bytes = await make(await wide(), { format: 'jpeg', icc: 'keep', steps: [{ grayscale: {} }] })
    assert.equal((await sharp(bytes).metadata()).icc, undefined)
  })
})
