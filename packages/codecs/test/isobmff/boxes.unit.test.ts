import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box, boxesIn, brandsOf, fullBox, uint8, uint16, uint32 } from '../../src/isobmff/boxes.ts'
import { codePointsOf } from '../../src/isobmff/code-points.ts'
import { composeItems } from '../../src/isobmff/compose-items.ts'
import { primaryItemOf } from '../../src/isobmff/items.ts'
import { damage, randomFrom } from '../support/damage.ts'

const text = (words: string) => Buffer.from(words, 'latin1')

test('boxes are read as they were written', () => {
  const bytes = Buffer.concat([
    box('ftyp', text('heic')),
    box('free'),
    fullBox('pitm', 1, 0x02_03_04, uint16(7), uint32(9), uint8(1)),
  ])
  assert.deepEqual(
    boxesIn(bytes).map(({ type, body }) => [type, body.toString('hex')]),
    [
      ['ftyp', '68656963'],
      ['free', ''],
      ['pitm', '0102030400070000000901'],
    ],
  )
})

test('a box of size 0 reaches to the end', () => {
  const last = Buffer.concat([uint32(0), text('mdat12345')])
  assert.deepEqual(
    boxesIn(Buffer.concat([box('free'), last])).map(({ type, body }) => [type, body.length]),
    [
      ['free', 0],
      ['mdat', 5],
    ],
  )
})

const first = box('free', text('ok'))
const ends: Readonly<Record<string, Buffer>> = {
  'a size smaller than its header': Buffer.concat([uint32(7), text('mdat')]),
  'a size beyond the end': Buffer.concat([uint32(0xffff_ffff), text('mdatxyz')]),
  'a size of 64 bits': Buffer.concat([uint32(1), text('mdat'), uint32(0, 16)]),
  'half a header': text('\0\0\0'),
}
for (const [what, rest] of Object.entries(ends)) {
  test(`the list ends at ${what}`, () => {
    assert.deepEqual(
      boxesIn(Buffer.concat([first, rest])).map(({ type }) => type),
      ['free'],
    )
  })
}

test('brands are the major and the compatible ones', () => {
  const start = box('ftyp', text('heic\0\0\0\0mif1heix'))
  assert.deepEqual(brandsOf(start), ['heic', 'mif1', 'heix'])
  assert.deepEqual(brandsOf(Buffer.concat([start, box('mdat', text('avif'))])), ['heic', 'mif1', 'heix'])
  assert.deepEqual(brandsOf(box('ftyp', text('heic\0\0\0\0'))), ['heic'])
})

test('brands that lie beyond the bytes, or none, are no brands', () => {
  const start = box('ftyp', text('heic\0\0\0\0mif1heix'))
  // Only the first 64 bytes are ever looked at, whatever the size says.
  start.writeUInt32BE(0xffff_fffc, 0)
  assert.deepEqual(brandsOf(start), ['heic', 'mif1', 'heix'])
  start.writeUInt32BE(0, 0)
  assert.deepEqual(brandsOf(start), ['heic'])
  assert.deepEqual(brandsOf(start.subarray(0, 15)), [])
  assert.deepEqual(brandsOf(box('moov', text('heic\0\0\0\0mif1'))), [])
  assert.deepEqual(brandsOf(Buffer.alloc(0)), [])
})

const nclx = (...numbers: readonly number[]) => box('colr', text('nclx'), uint16(...numbers), uint8(0x80))
const fileOf = (...colours: readonly Buffer[]) =>
  composeItems('avif\0\0\0\0', [{ type: 'av01', hidden: false, properties: [box('free'), ...colours], data: Buffer.alloc(4) }], 1)
const pointsIn = (file: Buffer) => {
  const item = primaryItemOf(file)
  return item && codePointsOf(item)
}

test('code points are those of nclx, unless a profile says more', () => {
  assert.deepEqual(pointsIn(fileOf(nclx(12, 13, 6))), { primaries: 12, transfer: 13, matrix: 6, fullRange: true })
  assert.equal(pointsIn(fileOf()), undefined)
  for (const kind of ['prof', 'rICC'])
    assert.equal(pointsIn(fileOf(nclx(12, 13, 6), box('colr', text(kind), Buffer.alloc(128)))), undefined)
  assert.equal(pointsIn(fileOf(box('colr', text('nclx')))), undefined)
})

test('damage ends in a list or in nothing, whose bodies lie within the file', () => {
  const file = fileOf(nclx(9, 16, 9), box('colr', text('what'), Buffer.alloc(40)))
  const random = randomFrom(1)
  let hits = 0
  for (let round = 0; round < 5_000; round++) {
    const bytes = damage(file, random, file.length)
    const total = boxesIn(bytes).reduce((sum, { body }) => sum + body.length + 8, 0)
    assert.ok(total <= bytes.length, `round ${round}`)
    assert.ok(brandsOf(bytes).length <= bytes.length / 4)
    if (pointsIn(bytes)) hits++
  }
  assert.ok(hits > 500 && hits < 4_500, String(hits))
})
