import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { fullBox } from '@pixelmill/codecs/isobmff/boxes'
import { composeItems, extent } from '@pixelmill/codecs/isobmff/compose-items'
import { hasGainMap } from '@pixelmill/codecs/metadata/gain-maps'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { runTask } from '../support/run-task.ts'

/** HDR gain maps: found however they are marked, and never lost without a word. */

const plain = await photo(96, 64).jpeg().toBuffer()
const size = { width: 96, height: 64 }

function withSegment(file: Buffer, text: string): Buffer {
  const body = Buffer.from(text, 'latin1')
  const head = Buffer.from([0xff, 0xe2, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([file.subarray(0, 2), head, body, file.subarray(2)])
}

const adobe = Buffer.from(
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></rdf:RDF></x:xmpmeta>',
)
const isobmff = (type: string, ...more: Buffer[]) =>
  composeItems('heic\0\0\0\0mif1heic', [{ type, hidden: false, properties: [extent(8, 8), ...more], data: Buffer.alloc(4) }], 1)

const markedFiles = [
  ['jpeg', withSegment(plain, 'urn:iso:std:iso:ts:21496:-1\0\0\0\0\0')],
  ['jpeg', codecs.jpeg.container?.write(plain, { xmp: adobe }, size) ?? assert.fail()],
  ['jpeg', Buffer.concat([withSegment(plain, 'MPF\0'), Buffer.from('HDRGainMapVersion')])],
  ['heic', isobmff('tmap')],
  ['avif', isobmff('tmap')],
  ['heic', isobmff('hvc1', fullBox('auxC', 0, 0, Buffer.from('urn:com:apple:photo:2020:aux:hdrgainmap\0')))],
] as const

test('every mark of a gain map is found, and files without one are not taken for it', () => {
  for (const [index, [format, file]] of markedFiles.entries()) {
    assert.equal(hasGainMap(file, codecs[format]), true, String(index))
    for (let cut = 0; cut < file.length; cut += 7) hasGainMap(file.subarray(0, cut), codecs[format])
  }
  for (const [format, file] of [
    ['jpeg', plain],
    ['jpeg', withSegment(plain, 'MPF\0')],
    ['heic', isobmff('hvc1')],
  ] as const)
    assert.equal(hasGainMap(file, codecs[format]), false)
})

test('answers say that it was dropped', async () => {
  const recipe = recipeSchema.parse({ outputs: [{ format: 'webp' }] })
  const [, [, source]] = markedFiles
  for (const [bytes, hdr] of [
    [source, 'dropped'],
    [plain, undefined],
  ] as const) {
    const { report } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, bytes)
    assert.equal(report.outputs[0]?.hdr, hdr)
  }
})
