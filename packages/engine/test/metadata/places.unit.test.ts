import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { codecs } from '@pixelmill/codecs'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import * as boxes from '@pixelmill/codecs/isobmff/boxes'
import { stripIsobmff } from '@pixelmill/codecs/isobmff/strip'
import { parseExif, serialiseExif } from '@pixelmill/codecs/metadata/exif'
import { datasetsIn } from '@pixelmill/codecs/metadata/iptc'
import { isPlaceName, isPlaceNamespace, placeTexts } from '@pixelmill/codecs/metadata/places'
import { type KeepingPolicy, keptBlocks } from '@pixelmill/codecs/metadata/policy'
import { everyFormat } from '@pixelmill/codecs/test/support/pictures'
import { baseline, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { avifSequence } from '../support/avif.ts'
import { runTask } from '../support/run-task.ts'

/** Only `all+gps` says where a picture was taken. */

describe('names', () => {
  const places = [
    'GPSLatitude',
    'GpsLongtitude',
    'decimalLatitude',
    'Latitude',
    'lat',
    'lng',
    'City',
    'city',
    'CountryCode',
    'countrycode',

    'ProvinceState',
    'stateProvince',
    'Sublocation',
    'ShotLocation',
    'verbatimLocality',
    'waterBody',
    'islandGroup',
    'county',
    'WorldRegion',
    'geohash',
    'GeoTag',
    'PlaceName',
    'postal-code',
    'coverage',
    'spatial',
    'AbsoluteAltitude',
    'mcc',
    'lac',
  ]
  const others = [
    'Velocity',
    'Opacity',
    'Capacity',
    'AltTextAccessibility',
    'Title',
    'Status',
    'EditStatus',
    'AuthorsPosition',
    'Lens',

    'LateralChromaticAberration',
    'Longest',
    'Display',
    'Black',
    'Statement',
    'WebStatement',
    'Instructions',
    'Estate',
    'Template',
  ]
  for (const name of places) test(`${name} is about a place`, () => assert.equal(isPlaceName(name), true))
  for (const name of others) test(`${name} is not`, () => assert.equal(isPlaceName(name), false))
  test('so is whatever a namespace of places has', () => {
    assert.equal(isPlaceNamespace('http://www.w3.org/2003/01/geo/wgs84_pos#'), true)
    assert.equal(isPlaceNamespace('http://purl.org/dc/elements/1.1/'), false)
  })
})

describe('texts', () => {
  const { has, names } = placeTexts(['Basel', 'CH', '12 degrees'])
  const places = [
    '47.3769, 8.5417',
    '47.376912 8.541734',
    '(47.37, 8.54)',
    '-33.8688,151.2093',
    'seen at 47.37691, 8.54173, at noon',

    '47°22\'36.8"N',
    '47 deg 22\' 36.85"',
    'N 47° 22.6',
    '47,22.6N',
    '8,32,30E',
    '+47.3769+008.5417/',
    'geo:47.3,8.5',
    '47.37 N, 8.54 E',
    'POINT (8.5 47.3)',
    '{"lat": 47.3}',
    'latitude=47.3',
    '8FVC9G8F+6X',
    '///filled.count.soap',
    '32TMT6512347321',

    '$GPGGA,172814.0,3723.46',
    'https://www.google.com/maps/@47.3,8.5',
    'https://www.geonames.org/2657896',
    'Places|Anywhere',
  ]
  const others = [
    'A cat',
    '2026-11-26T14:58:11+01:00',
    '1/250',
    '24.0 70.0',
    'f/2.8, 1/60 s',
    '23 °C',
    '0.31 0.33',
    'https://example.com/about',
    'Version 1.2.3, build 4567',
    '+41 61 123 45 67',
    'ISO 400, 50 mm',
    'geometry: 3',
    'platform: 5',
    '4000, 3000',
  ]
  for (const text of places) test(`${text} is a place`, () => assert.equal(has(text), true))
  for (const text of others) test(`${text} is none`, () => assert.equal(names(text), false))
  test('a name is one if a field for places has it', () => {
    assert.deepEqual(['basel', 'Europe|Basel', 'Basel, Rhine', 'A day in Basel', 'CH'].map(names), [
      true,
      true,
      true,
      false,
      false,
    ])
    assert.equal(has('Basel'), false)
  })
})

const packet = (inside: string, attributes = '') =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:my="http://example.com/my/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"
    xmlns:drone="http://www.dji.com/drone-dji/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" ${attributes}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  )

describe('XMP', () => {
  const keptXmp = (xmp: Buffer, policy: KeepingPolicy) => keptBlocks({ xmp }, policy).xmp?.toString() ?? ''
  const bag = (items: string) => `<rdf:Bag>${items}</rdf:Bag>`
  /** What names a place, and what stays of it. */
  const rows: Readonly<Record<string, readonly [xmp: Buffer, left: RegExp]>> = {
    'an attribute of an unknown namespace': [packet('', 'drone:GpsLatitude="+47.5" my:Label="kept"'), /my:Label="kept"/],
    'a field deep in a structure': [
      packet(
        '<my:a rdf:parseType="Resource"><my:b rdf:parseType="Resource"><my:City>SECRET</my:City></my:b></my:a><my:c>kept</my:c>',
      ),
      /<my:c[^>]*>kept/,
    ],
    'a field that is an attribute': [
      packet('<my:a><rdf:Description my:country="SECRET"/></my:a><my:c>kept</my:c>'),
      /<my:c[^>]*>kept/,
    ],
    'a text with coordinates under any name': [packet('<my:x>47.37691, 8.54173</my:x><my:c>kept</my:c>'), /<my:c[^>]*>kept/],
    'a link to a map': [packet('<my:x rdf:resource="https://maps.google.com/?q=1"/><my:c>kept</my:c>'), /<my:c[^>]*>kept/],
    'a namespace of places': [packet('<geo:alt>SECRET</geo:alt><my:c>kept</my:c>'), /<my:c[^>]*>kept/],
    'a keyword that repeats the city': [
      packet(`<dc:subject>${bag('<rdf:li>cat</rdf:li><rdf:li>Secret</rdf:li>')}</dc:subject>`, 'photoshop:City="SECRET"'),
      /<rdf:li>cat<\/rdf:li><\/rdf:Bag>/,
    ],
    'a keyword below Places': [
      packet(
        `<lr:hierarchicalSubject>${bag('<rdf:li>Animals|cat</rdf:li><rdf:li>Places|SECRET</rdf:li>')}</lr:hierarchicalSubject>`,
      ),
      /Animals\|cat<\/rdf:li><\/rdf:Bag>/,
    ],
    'a comment inside of a text': [packet('<my:c>kept<!-- SECRET --></my:c>'), /<my:c[^>]*>kept</],
  }
  for (const [name, [xmp, left]] of Object.entries(rows)) {
    test(name, () => {
      const all = keptXmp(xmp, 'all')
      assert.match(all, left)
      assert.doesNotMatch(all, /secret|47\.|maps\.google/i)
      assert.doesNotMatch(keptXmp(xmp, 'copyright'), /secret|47\.|maps\.google/i)
    })
  }

  test('with places it is all there', () => {
    for (const [name, [xmp]] of Object.entries(rows)) {
      if (!name.includes('comment')) assert.match(keptXmp(xmp, 'all+gps'), /secret|47\.|maps\.google/i, name)
    }
  })

  test('a curve of a raw converter, and the address of the creator, stay', () => {
    const xmp = packet(
      '<crs:Dabs>d 0.345678 0.654321</crs:Dabs><c:CreatorContactInfo rdf:parseType="Resource"><c:CiAdrCity>Bern</c:CiAdrCity></c:CreatorContactInfo>',
      'xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:c="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"',
    )
    assert.match(keptXmp(xmp, 'all'), /Dabs.*CiAdrCity[^>]*>Bern/)
    assert.match(keptXmp(xmp, 'copyright'), /CiAdrCity[^>]*>Bern/)
  })
})

const dataset = (record: number, number: number, text: string) =>
  Buffer.concat([Buffer.from([0x1c, record, number, 0, text.length]), Buffer.from(text, 'latin1')])

describe('IPTC', () => {
  const numbersKept = (policy: KeepingPolicy) => {
    const block = Buffer.concat(Array.from({ length: 256 }, (_, number) => dataset(2, number, `text ${number}`)))
    return datasetsIn(keptBlocks({ iptc: block }, policy).iptc ?? Buffer.alloc(0)).map(({ number }) => number)
  }
  const expected = [
    0, 3, 4, 5, 7, 8, 10, 12, 15, 20, 22, 25, 30, 35, 37, 38, 40, 42, 45, 47, 50, 55, 60, 62, 63, 65, 70, 75, 80, 85, 103, 105,
    110, 115, 116, 118, 120, 121, 122, 125, 130, 131, 135, 150, 151, 152, 153, 154, 184, 185, 186, 187, 188, 221, 225, 228, 230,
    231, 232, 255,
  ]

  test('all keeps the datasets that the standard has, but content location, city, sublocation, state, country and its code', () => {
    assert.deepEqual(numbersKept('all'), expected)
    assert.deepEqual(numbersKept('copyright'), [80, 85, 110, 115, 116, 118])
  })
  for (const number of [26, 27, 90, 92, 95, 100, 101]) {
    test(`2:${number} is there with places alone`, () => {
      const block = Buffer.concat([dataset(2, 5, 'Title'), dataset(2, number, 'Basel')])
      assert.equal(keptBlocks({ iptc: block }, 'all').iptc?.includes('Basel'), false)
      assert.equal(keptBlocks({ iptc: block }, 'all+gps').iptc?.includes('Basel'), true)
    })
  }

  test('a keyword with the name of the country, coordinates in a caption, and where the picture was sent', () => {
    const envelope = [dataset(1, 5, 'Basel'), dataset(1, 90, '\x1b%G')]
    const block = Buffer.concat([...envelope, dataset(2, 25, 'cat'), dataset(2, 25, 'Peru'), dataset(2, 101, 'Peru')])
    const keptIptc = keptBlocks({ iptc: Buffer.concat([block, dataset(2, 120, '47.3769, 8.5417')]) }, 'all').iptc ?? assert.fail()
    assert.deepEqual(
      datasetsIn(keptIptc).map(({ record, number, data }) => `${record}:${number} ${data}`),
      ['1:90 \x1b%G', '2:25 cat'],
    )
  })
})

test('EXIF: fields without a name, texts with coordinates, and what repeats the city', () => {
  const text = (tag: number, value: string | Buffer, type = 2) => {
    const data = Buffer.from(value)
    return { tag, type, count: data.length, data }
  }
  const exif = serialiseExif({
    littleEndian: true,
    image: [
      text(0x010e, 'Basel\0'),
      text(0x010f, 'Camera\0'),
      text(0x9c9e, Buffer.from('cat;Basel\0', 'utf16le'), 1),
      text(0xd000, 'Basel'),
    ],
    photo: [
      text(0x9286, Buffer.from('UNICODE\x0047.3769, 8.5417', 'latin1'), 7),
      text(0x927c, 'Basel', 7),
      text(0xa217, '\x02\0', 7),
    ],
    place: [text(0x1c, 'Basel', 7)],
  })
  const tags = (policy: KeepingPolicy) => {
    const keptExif = keptBlocks({ exif, xmp: packet('', 'photoshop:City="Basel"') }, policy).exif
    const { image = [], photo = [], place = [] } = (keptExif && parseExif(keptExif)) || {}
    return [image, photo, place].map((fields) => fields.map(({ tag }) => tag))
  }
  assert.deepEqual(tags('all'), [[0x010f], [0xa217], []])
  assert.deepEqual(tags('all+gps'), [[0x010e, 0x010f, 0x9c9e, 0xd000], [0x9286, 0xa217], [0x1c]])
})

test('no format of a source leads to one in any format', async () => {
  const iptc = Buffer.concat([dataset(2, 5, 'Title'), dataset(2, 101, 'Atlantis'), dataset(2, 26, 'Atlantis')])
  const xmp = packet('<my:c>kept</my:c>', 'drone:Locality="Atlantis"')
  const place = { tag: 0x1c, type: 7, count: 8, data: Buffer.from('Atlantis') }
  const exif = serialiseExif({ littleEndian: true, image: [], photo: [], place: [place] })
  for (const [format, plain] of Object.entries(await everyFormat())) {
    const source = codecs[format as FormatName].container?.write(plain, { exif, xmp, iptc }, { width: 240, height: 160 })
    if (!source) continue
    assert.equal(source.includes('Atlantis'), true, format)
    assert.equal(codecs[format as FormatName].strip?.(source).includes('Atlantis'), false, `${format}, as it came`)
    const outputs = (['jpeg', 'png', 'webp', 'tiff', 'jxl'] as const).flatMap((target) =>
      (['copyright', 'all', 'all+gps'] as const).map((metadata) => ({
        name: `${target}-${metadata.replace('+', '-')}`,
        format: target,
        metadata,
      })),
    )
    const recipe = recipeSchema.parse({ steps: [{ resize: { width: 24 } }], outputs })
    const { files } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source)
    for (const [index, { name, metadata }] of outputs.entries())
      assert.equal(files[index]?.includes('Atlantis'), metadata === 'all+gps', `${format} to ${name}`)
  }
})

test('parts of a file that nobody knows are not in an answer that is the file as it came', async () => {
  const { png = Buffer.alloc(0), webp = Buffer.alloc(0) } = await everyFormat()
  const chunk = (type: string) => {
    const data = Buffer.from(`\0\0\0\x08${type}Atlantis\0\0\0\0`, 'latin1')
    data.writeUInt32BE(crc32(data.subarray(4, 16)), 16)
    return data
  }
  const end = png.length - 12
  const withChunk = Buffer.concat([png.subarray(0, end), chunk('plCe'), png.subarray(end)])
  const riff = Buffer.concat([webp, Buffer.from('PLCE\x08\0\0\0Atlantis', 'latin1')])
  riff.writeUInt32LE(riff.length - 8, 4)
  const ascii = ['At', 'la', 'nt', 'is'].map((pair) => Buffer.from(pair).readUInt16LE(0))
  const geotiff = tiffOf({ ...baseline(10, 10, 3, 8), 34737: ascii, 40094: ascii }, [Buffer.alloc(300)])
  const files = { png: withChunk, webp: riff, tiff: geotiff }
  for (const [format, file] of Object.entries(files)) {
    assert.equal(file.includes('Atlantis'), true, format)
    const strippedFile = codecs[format as FormatName].strip?.(file) ?? assert.fail()
    assert.equal(strippedFile.includes('Atlantis'), false, format)
    assert.ok(strippedFile.length <= file.length)
  }
})

test('items and boxes that describe an image sequence are overwritten where they are', () => {
  const { box, fullBox, uint16, uint32 } = boxes
  const start = (at: number) =>
    Buffer.concat([
      box('uuid', Buffer.from('Atlantis')),
      fullBox(
        'meta',
        0,
        0,
        fullBox('pitm', 0, 0, uint16(1)),
        fullBox('iinf', 0, 0, uint16(1), fullBox('infe', 2, 0, uint16(2, 0), Buffer.from('Exif\0'))),
        fullBox('iloc', 0, 0, Buffer.from([0x44, 0]), uint16(1, 2, 0, 1), uint32(at, 8)),
      ),
      box('free', Buffer.from('Atlantis')),
    ])
  const frame = { width: 8, height: 8, configuration: Buffer.from([0x81, 0, 0, 0]), data: Buffer.from('coded picture') }
  const file = avifSequence([{ handler: 'pict', frames: [frame as never] }], start(0))
  const whole = avifSequence([{ handler: 'pict', frames: [frame as never] }], start(file.lastIndexOf('Atlantis')))
  const strippedFile = stripIsobmff(whole)
  assert.deepEqual(
    [strippedFile.length, strippedFile.includes('Atlantis'), strippedFile.includes('coded picture')],
    [whole.length, false, true],
  )
})
