import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { APPLICATION, datasetsIn, textsOf } from '@pixelmill/codecs/metadata/iptc'
import { readBlocks } from '@pixelmill/codecs/metadata/read-blocks'
import { xmpTexts } from '@pixelmill/codecs/metadata/xmp'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { runTask } from '../support/run-task.ts'

/** Formats without a place for IPTC keep what it says. */

const dataset = (record: number, number: number, text: string) => {
  const data = Buffer.from(text, 'utf8')
  return Buffer.concat([Buffer.from([0x1c, record, number, 0, data.length]), data])
}

/** Each dataset with a property of XMP, its text, and what the property says. */
const asProperties: Readonly<Record<string, readonly [number: number, text: string, property?: string]>> = {
  'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/ IntellectualGenre': [4, '021:Feature', 'Feature'],
  'http://purl.org/dc/elements/1.1/ title': [5, 'Tïtle'],
  'http://ns.adobe.com/photoshop/1.0/ Urgency': [10, '5'],
  'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/ SubjectCode': [12, 'IPTC:15054000:SPO:soccer:', '15054000'],
  'http://ns.adobe.com/photoshop/1.0/ Category': [15, 'SPO'],
  'http://ns.adobe.com/photoshop/1.0/ SupplementalCategories': [20, 'Soccer'],
  'http://purl.org/dc/elements/1.1/ subject': [25, 'ball'],
  'http://ns.adobe.com/photoshop/1.0/ Instructions': [40, 'Embargo'],
  'http://ns.adobe.com/photoshop/1.0/ DateCreated': [55, '20260131', '2026-01-31T14:30:00+01:00'],
  'http://ns.adobe.com/xap/1.0/ CreateDate': [62, '20260100', '2026-01'],
  'http://ns.adobe.com/xap/1.0/ CreatorTool': [65, 'Editor'],
  'http://purl.org/dc/elements/1.1/ creator': [80, 'Ana'],
  'http://ns.adobe.com/photoshop/1.0/ AuthorsPosition': [85, 'Staff'],
  'http://ns.adobe.com/photoshop/1.0/ City': [90, 'Bern'],
  'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/ Location': [92, 'Wankdorf'],
  'http://ns.adobe.com/photoshop/1.0/ State': [95, 'BE'],
  'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/ CountryCode': [100, 'CHE'],
  'http://ns.adobe.com/photoshop/1.0/ Country': [101, 'Switzerland'],
  'http://ns.adobe.com/photoshop/1.0/ TransmissionReference': [103, 'job 7'],
  'http://ns.adobe.com/photoshop/1.0/ Headline': [105, 'Goal'],
  'http://ns.adobe.com/photoshop/1.0/ Credit': [110, 'Agency'],
  'http://ns.adobe.com/photoshop/1.0/ Source': [115, 'Archive'],
  'http://purl.org/dc/elements/1.1/ rights': [116, '© Ana'],
  'http://purl.org/dc/elements/1.1/ description': [120, 'A goal'],
  'http://ns.adobe.com/photoshop/1.0/ CaptionWriter': [122, 'Bo'],
  'http://purl.org/dc/elements/1.1/ language': [135, 'en'],
}
/** Without a property: fixture, release date, reference, programme version, contact. */
const others: readonly (readonly [number: number, text: string])[] = [
  [22, 'fixture'],
  [30, '20260201'],
  [50, '00000012'],
  [70, '3.1'],
  [118, 'ana@example.com'],
]

const iptc = Buffer.concat([
  dataset(1, 90, '\x1b%G'),
  ...Object.values(asProperties).map(([number, text]) => dataset(2, number, text)),
  dataset(2, 60, '143000+0100'),
  ...others.map(([number, text]) => dataset(2, number, text)),
])

const jpeg =
  codecs.jpeg.container?.write(await photo(40, 30).jpeg().toBuffer(), { iptc }, { width: 40, height: 30 }) ?? assert.fail()

const convert = async (source: Buffer, format: 'png' | 'webp' | 'avif' | 'jxl' | 'tiff' | 'jpeg') => {
  const recipe = recipeSchema.parse({ outputs: [{ format, metadata: 'all+gps' }] })
  const { files } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source)
  return files[0] ?? assert.fail()
}

for (const format of ['png', 'webp', 'avif', 'jxl'] as const) {
  test(`${format}: each dataset is there, as the property of XMP or in EXIF`, async () => {
    const bytes = await convert(jpeg, format)
    const blocks = readBlocks(bytes, codecs[format])
    const texts = xmpTexts(blocks.xmp ?? assert.fail())
    for (const [property, [, text, expected = text]] of Object.entries(asProperties))
      assert.deepEqual(texts.get(property), [expected], property)
    const rest = datasetsIn(blocks.iptc ?? assert.fail())
    for (const [number, text] of others) assert.deepEqual(textsOf(rest, number), [text], `2:${number}`)
    assert.equal(rest.filter(({ record }) => record === APPLICATION).length, others.length)
  })
}

test('what came into EXIF goes back to its place', async () => {
  const back = readBlocks(await convert(await convert(jpeg, 'webp'), 'tiff'), codecs.tiff)
  assert.deepEqual(textsOf(datasetsIn(back.iptc ?? assert.fail()), 118), ['ana@example.com'])
  const same = readBlocks(await convert(jpeg, 'jpeg'), codecs.jpeg)
  assert.deepEqual(same.iptc, iptc)
})

test('XMP has the last word', async () => {
  const xmp = Buffer.from(
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Headline="Newer"/></rdf:RDF></x:xmpmeta>',
  )
  const both = codecs.jpeg.container?.write(await photo(40, 30).jpeg().toBuffer(), { iptc, xmp }, { width: 40, height: 30 })
  const texts = xmpTexts(readBlocks(await convert(both ?? assert.fail(), 'webp'), codecs.webp).xmp ?? assert.fail())
  assert.deepEqual(texts.get('http://ns.adobe.com/photoshop/1.0/ Headline'), ['Newer'])
})
