import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { jxlTransfer } from '@pixelmill/codecs/jxl/transfer'
import { hdrKind } from '@pixelmill/codecs/metadata/gain-maps'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { av1Item, avifOf, codedAv1, codePoints } from '../support/avif.ts'
import { chunk, withChunk } from '../support/png.ts'
import { runTask } from '../support/run-task.ts'

/** `optimize` sends pictures that are coded in HDR as they came. */

const PQ = 16
const HLG = 18
const codedPicture = await codedAv1(photo(48, 32))
const avif = (transfer: number) => avifOf([av1Item(codedPicture, codePoints(9, transfer, 9, true))])
const still = await photo(48, 32).png({ compressionLevel: 0 }).toBuffer()
const png = withChunk(still, chunk('cICP', Buffer.from([9, PQ, 0, 1])))

const files = { 'PQ in AVIF': avif(PQ), 'HLG in AVIF': avif(HLG), 'PQ in PNG': png }
const usual = { metadata: 'none', icc: 'srgb', hdr: 'keep' } as const

for (const [name, file] of Object.entries(files)) {
  const codec = name.endsWith('PNG') ? codecs.png : codecs.avif

  test(`${name} keeps its light, whatever is asked for`, async () => {
    for (const more of [{ quality: 50 }, { maxBytes: file.length }, ...(codec.levels?.scores ? [{ visualQuality: 60 }] : [])]) {
      const { files: results, report } = await runTask('optimize', { ...usual, ...more }, file)
      assert.equal(hdrKind(results[0] ?? assert.fail(), codec), name.startsWith('PQ') ? 'pq' : 'hlg')
      assert.equal(report.hdr, 'kept')
      assert.ok((results[0]?.length ?? 0) <= file.length)
    }
  })

  test(`${name} that does not fit is refused, and hdr=drop makes it SDR`, async () => {
    await assert.rejects(runTask('optimize', { ...usual, maxBytes: 300 }, file), /HDR/)
  })
}

test('hdr=drop allows an SDR picture', async () => {
  const { files: results, report } = await runTask('optimize', { ...usual, hdr: 'drop' }, png)
  assert.deepEqual([hdrKind(results[0] ?? assert.fail(), codecs.png), report.hdr], [undefined, 'dropped'])
})

/** A JPEG XL header of these bits, the first of a byte being its lowest. */
const header = (bits: string): Buffer => {
  const digits = bits.replaceAll(' ', '').padEnd(400, '0')
  return Buffer.from([
    0xff,
    0x0a,
    ...Array.from({ length: 50 }, (_, at) => Number.parseInt([...digits.slice(at * 8, at * 8 + 8)].reverse().join(''), 2)),
  ])
}
/** Of 8 × 8 pixels; not by default; 8 bits of whole numbers; in XYB; colours that are named: RGB, D65, primaries 9, a curve. */
const colourHeader = (channels: string, curve: string) =>
  header(`1 00000 100  0 0  0 00  1 ${channels} 1  0 0 00 10 01 1110 0 ${curve}`)

test('the curve that a JPEG XL names', () => {
  assert.equal(jxlTransfer(colourHeader('00', '01 0111')), PQ)
  assert.equal(jxlTransfer(colourHeader('00', '11 000000')), HLG)
  assert.equal(jxlTransfer(colourHeader('10 1', '01 0111')), PQ)
  assert.equal(jxlTransfer(header('1 00000 100 1')), undefined)
})
