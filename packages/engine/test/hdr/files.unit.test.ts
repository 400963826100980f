import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codecs, recognise } from '@pixelmill/codecs'
import { APPLE_MAP, appleSample } from '@pixelmill/codecs/hdr/apple'
import { findMap } from '@pixelmill/codecs/hdr/gain-map'
import { mapInJpeg } from '@pixelmill/codecs/hdr/in-jpeg'
import { parseIso, serialiseIso } from '@pixelmill/codecs/hdr/iso-21496'
import type { GainMapValues } from '@pixelmill/codecs/hdr/values'
import { withMapItems } from '@pixelmill/codecs/hdr/write-isobmff'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { fullBox, uint8, uint16 } from '@pixelmill/codecs/isobmff/boxes'
import { composeItems } from '@pixelmill/codecs/isobmff/compose-items'
import { copiedPicture } from '@pixelmill/codecs/isobmff/copy-picture'
import { relatedItemsOf } from '@pixelmill/codecs/isobmff/items'
import { jpegContainer } from '@pixelmill/codecs/metadata/containers/jpeg'
import { hasGainMap } from '@pixelmill/codecs/metadata/gain-maps'
import { packetOf } from '@pixelmill/codecs/metadata/xmp'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { assertAlike, hdrJpeg, mapOf, NONE, quarters, values, withGainMap } from '../support/gain-maps.ts'
import { runTask } from '../support/run-task.ts'

/** HDR gain maps, read and written in every way that a file can have one. */

const jpeg = await hdrJpeg()
const map = await quarters(120, 80)
const expected = [255, 0, NONE, NONE]
const size = { width: 0, height: 0 }
const avif = withMapItems(
  await photo(240, 160).avif().toBuffer(),
  codecs.avif,
  await sharp(map).avif({ quality: 90 }).toBuffer(),
  values,
)
const heic = withMapItems((await writeHeic(photo(240, 160))).bytes, codecs.heic, (await writeHeic(sharp(map))).bytes, values)

async function make(output: object, file: Buffer) {
  const recipe = recipeSchema.parse({ outputs: [output] })
  const { files, report } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, file)
  return { bytes: files[0] ?? assert.fail(), hdr: report.outputs[0]?.hdr }
}

const optimize = async (file: Buffer, hdr: 'keep' | 'drop' = 'keep') => {
  const { files, report } = await runTask('optimize', { quality: 80, metadata: 'none', icc: 'srgb', hdr }, file)
  return { bytes: files[0] ?? assert.fail(), report }
}

/** The map's JPEG without any word on what it means. */
const silentMap = sharp(map).jpeg({ quality: 95 }).toBuffer()

/** Google and Adobe: the values in the map's XMP only; no directory of pictures, as older writers left it out. */
const byXmpAlone = async () => {
  const xmp = packetOf(
    '<rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMin="-2" hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2"/>',
  )
  const main = jpegContainer.write(await photo(240, 160).jpeg().toBuffer(), { xmp }, size)
  return Buffer.concat([main, jpegContainer.write(await silentMap, { xmp }, size)])
}

/** The values in the XMP of the picture. */
const byXmpOfPicture = async () => {
  const main = await photo(240, 160).jpeg().toBuffer()
  const silent = await silentMap
  const xmp = packetOf(
    '<rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"><hdrgm:GainMapMin><rdf:Seq><rdf:li>-2</rdf:li><rdf:li>-2</rdf:li><rdf:li>-2</rdf:li></rdf:Seq></hdrgm:GainMapMin><hdrgm:GainMapMax>2</hdrgm:GainMapMax></rdf:Description>',
  )
  return Buffer.concat([jpegContainer.write(main, { xmp }, size), silent])
}

const sources: Readonly<Record<string, () => Promise<Buffer>>> = {
  'JPEG by ISO 21496-1 and XMP': async () => jpeg,
  'JPEG by XMP without a directory': byXmpAlone,
  'JPEG with the values in the picture’s XMP': byXmpOfPicture,
  'AVIF with tmap': async () => avif,
  'HEIC with tmap': async () => heic,
}

describe('a map of every kind of source is kept, where the format can hold it', () => {
  for (const [name, source] of Object.entries(sources))
    for (const format of ['jpeg', 'avif'] as const)
      test(`${name} to ${format}`, async () => {
        const { bytes, hdr } = await make({ format }, await source())
        assert.equal(hdr, 'kept')
        assert.equal(recognise(bytes)?.name, format)
        const gainMap = await mapOf(bytes)
        assertAlike(gainMap.quarters, expected)
        assert.deepEqual(gainMap.values.channels[0], values.channels[0])
        assert.equal(gainMap.values.capacityMax, 2)
      })
})

describe('Apple', () => {
  const stops = 2
  const xmp = packetOf(
    `<rdf:Description rdf:about="" xmlns:HDRGainMap="${APPLE_MAP}" HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="${2 ** stops}"/>`,
  )
  const half = Math.round(255 * appleSample(NONE / 255, stops))

  test('JPEG: the samples become logarithms', async () => {
    const source = Buffer.concat([await photo(240, 160).jpeg().toBuffer(), jpegContainer.write(await silentMap, { xmp }, size)])
    const mp = Buffer.concat([source.subarray(0, 2), Buffer.from([0xff, 0xe2, 0, 6]), Buffer.from('MPF\0'), source.subarray(2)])
    const { bytes, hdr } = await make({ format: 'jpeg' }, mp)
    assert.equal(hdr, 'kept')
    const gainMap = await mapOf(bytes)
    assertAlike(gainMap.quarters, [255, 0, half, half])
    assert.deepEqual([gainMap.values.channels[0]?.max, gainMap.values.capacityMax], [stops, stops])
  })

  test('HEIC: an auxiliary picture', async () => {
    const auxiliary = fullBox('auxC', 0, 0, Buffer.from('urn:com:apple:photo:2020:aux:hdrgainmap\0'))
    const main = copiedPicture(relatedItemsOf((await writeHeic(photo(240, 160))).bytes))
    const gains = copiedPicture(relatedItemsOf((await writeHeic(sharp(map))).bytes), main.length)
    const [first = assert.fail(), ...rest] = gains
    const description = { type: 'mime\0application/rdf+xml\0', hidden: true, properties: [], data: xmp }
    const items = [...main, { ...first, properties: [...first.properties, auxiliary], alphaOf: 1 }, ...rest, description]
    const { bytes, hdr } = await make({ format: 'jpeg' }, composeItems('heic\0\0\0\0mif1heic', items, 1))
    assert.equal(hdr, 'kept')
    assertAlike((await mapOf(bytes)).quarters, [255, 0, half, half])
  })
})

describe('what cannot be kept is said', () => {
  test('formats without maps, and grey pictures', async () => {
    for (const output of [
      ...['webp', 'png', 'jxl', 'tiff', 'gif'].map((format) => ({ format })),
      { format: 'jpeg', steps: [{ grayscale: {} }] },
    ]) {
      const { bytes, hdr } = await make(output, jpeg)
      assert.equal(hdr, 'dropped', JSON.stringify(output))
      assert.equal(bytes.includes('hdr-gain-map'), false)
    }
  })

  test('hdr=drop, also in a file that optimize returns as it came', async () => {
    for (const source of [jpeg, avif, heic]) {
      const { bytes, hdr } = await make({ format: 'jpeg', hdr: 'drop' }, source)
      assert.deepEqual([hdr, mapInJpeg(bytes)], ['dropped', undefined])
    }
    const small = withMapItems(
      await photo(240, 160).avif({ quality: 5 }).toBuffer(),
      codecs.avif,
      await sharp(map).avif({ quality: 90 }).toBuffer(),
      values,
    )
    const { bytes, report } = await optimize(small, 'drop')
    assert.equal(report.hdr, 'dropped')
    assert.equal(hasGainMap(bytes, codecs.avif), false)
    assert.equal((await sharp(bytes).metadata()).width, 240)
  })

  test('the map of an HDR picture, and values that no display can use', async () => {
    const hdrBase: GainMapValues = { ...values, baseIsHdr: true }
    assert.equal(parseIso(serialiseIso(values))?.baseIsHdr, false)
    const flat = { ...values, channels: [{ ...(values.channels[0] ?? assert.fail()), gamma: 0 }] }
    for (const bad of [hdrBase, flat]) {
      const isHdr = bad === hdrBase
      const bytes = serialiseIso(bad)
      // The headroom of the picture in the file is the first, that of the other the second.
      if (isHdr)
        for (const [at, stops] of [
          [5, 2],
          [13, 0],
        ] as const)
          bytes.writeInt32BE(stops * 1_000_000, at)
      const gains = jpegContainer.write(await silentMap, {}, size)
      const mark = Buffer.concat([Buffer.from('urn:iso:std:iso:ts:21496:-1\0'), bytes])
      const segment = Buffer.concat([Buffer.from([0xff, 0xe2]), uint16(mark.length + 2), mark])
      const file = Buffer.concat([
        jpeg.subarray(0, jpeg.length - mapBytes(jpeg)),
        gains.subarray(0, 2),
        segment,
        gains.subarray(2),
      ])
      const { hdr } = await make({ format: 'jpeg' }, file)
      assert.equal(hdr, 'dropped', isHdr ? 'HDR' : 'gamma 0')
    }
  })

  test('a map that would leave too few bytes', async () => {
    for (const [maxBytes, expected] of [
      [2_000, 'dropped'],
      [6_000, 'dropped'],
      [12_000, 'kept'],
    ] as const) {
      const { bytes, hdr } = await make({ format: 'jpeg', maxBytes }, jpeg)
      assert.equal(hdr, expected)
      assert.ok(bytes.length <= maxBytes, `${maxBytes}: ${bytes.length}`)
    }
  })
})

const mapBytes = (file: Buffer): number => mapInJpeg(file)?.picture.length ?? 0

test('optimize keeps the map, and is never larger', async () => {
  for (const source of [jpeg, avif, heic, await byXmpAlone()]) {
    const { bytes, report } = await optimize(source)
    assert.equal(report.hdr, 'kept', report.format)
    assert.ok(bytes.length <= source.length, `${report.format}: ${source.length} → ${bytes.length}`)
    assertAlike((await mapOf(bytes)).quarters, expected, report.format)
    const again = await optimize(bytes)
    assert.equal(again.report.hdr, 'kept')
    assert.ok(again.bytes.length <= bytes.length)
  }
})

test('a picture without a map says nothing', async () => {
  const { hdr } = await make({ format: 'jpeg' }, await photo().jpeg().toBuffer())
  assert.equal(hdr, undefined)
})

test('a damaged map costs its picture nothing', async () => {
  for (const [format, source] of Object.entries({ jpeg, avif, heic })) {
    const read = (file: Buffer) => findMap(file, codecs[format as 'jpeg' | 'avif' | 'heic'])
    assert.ok(read(source))
    for (let cut = 0; cut < source.length; cut += 23) read(source.subarray(0, cut))
    for (let at = 0; at < Math.min(source.length, 4_000); at += 3) {
      const changedFile = Buffer.from(source)
      changedFile[at] = (changedFile[at] ?? 0) ^ 0xff
      read(changedFile)
    }
  }
  const silent = Buffer.from(jpeg)
  silent.fill(0, jpeg.length - 300)
  assert.match(String((await make({ format: 'jpeg' }, silent)).hdr), /^(kept|dropped)$/)
  const large = await sharp({ create: { width: 1_200, height: 900, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
  const result = await make({ format: 'jpeg' }, withGainMap(await photo(24, 16).jpeg().toBuffer(), large))
  assert.equal(result.hdr, 'dropped')
  const incomplete = jpeg.subarray(0, jpeg.length - mapBytes(jpeg) + 40)
  assert.equal((await make({ format: 'jpeg' }, incomplete)).hdr, 'dropped')
})

test('values survive both standards to a millionth', () => {
  const channel = { min: -0.277588, max: 1.807617, gamma: 0.860352, offsetSdr: 0.00001, offsetHdr: 0.015625 }
  const three = { ...values, channels: [channel, { ...channel, max: 2.5 }, { ...channel, gamma: 1 }], capacityMax: 3.1 }
  assert.deepEqual(parseIso(serialiseIso(three)), three)
  assert.deepEqual(parseIso(Buffer.concat([serialiseIso(values), uint8(1, 2, 3)])), values)
})
