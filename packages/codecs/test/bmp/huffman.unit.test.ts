import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeTables } from '../../src/bmp/huffman.ts'
import { bmpFile, read } from '../support/bmp.ts'

/** Codes of ITU-T T.4, tables 2 and 3, as they are printed there. */
const white = { 0: '00110101', 1: '000111', 2: '0111', 3: '1000', 4: '1011', 64: '11011', 1728: '010011011' }
const black = { 0: '0000110111', 1: '010', 2: '11', 3: '10', 4: '011', 63: '000001100111', 64: '0000001111' }
const both = { 1792: '00000001000', 2560: '000000011111' }
const EOL = '000000000001'

function huffman(width: number, height: number, codes: readonly string[]): Buffer {
  const bits = codes.join('')
  const pixels = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
  return bmpFile({ header: 64, width, height, bits: 1, compression: 3, colours: [0xffffff, 0x000000], pixels })
}

test('reads runs of the two colours in turn, rows from the bottom up', async () => {
  const rows = [white[1], black[3], white[0], black[1], white[2], black[1]]
  assert.deepEqual(await read(huffman(4, 2, rows)), ['000000 ffffff ffffff 000000', 'ffffff 000000 000000 000000'])
})

test('reads rows that begin with EOL, zeros to fill before it, and what ends the picture', async () => {
  const rows = [EOL, white[1], black[1], '00000', EOL, white[2], EOL, EOL, EOL, EOL, EOL, EOL]
  assert.deepEqual(await read(huffman(2, 2, rows)), ['ffffff ffffff', 'ffffff 000000'])
})

test('reads runs of several codes', async () => {
  const [row = ''] = await read(huffman(2560 + 1792 + 64 + 63 + 1, 1, [white[1], both[2560], both[1792], black[64], black[63]]))
  assert.deepEqual([row.indexOf('000000'), row.length], [7, 4480 * 7 - 1])
  assert.equal(row.lastIndexOf('ffffff'), 0)
})

test('a row that is too long is cut', async () => {
  assert.deepEqual(await read(huffman(2, 2, [white[64], white[4], white[1], black[2]])), ['ffffff 000000', 'ffffff ffffff'])
})

test('what comes behind a fault or the end is transparent', async () => {
  const nothing = '0000000000001'.repeat(2)
  assert.deepEqual(await read(huffman(2, 2, [white[2], white[1], nothing])), ['ffffffff 00000000', 'ffffffff ffffffff'])
  assert.deepEqual(await read(huffman(2, 3, [white[2]])), ['00000000 00000000', '00000000 00000000', 'ffffffff ffffffff'])
})

test('each table has all runs, and every number begins with a code but those that fill or end a row', () => {
  for (const table of codeTables()) {
    const runs = new Set(table.map((code) => code?.run))
    for (let run = 0; run < 64; run++) assert.ok(runs.has(run), String(run))
    for (let run = 64; run <= 2560; run += 64) assert.ok(runs.has(run), String(run))
    assert.deepEqual(
      table.flatMap((code, next) => (code ? [] : [next])),
      Array.from({ length: 32 }, (_, next) => next),
    )
  }
})
