import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bmpReader } from '../../src/bmp/reader.ts'
import { writeColours } from '../../src/bmp/write-file.ts'
import { UnreadableError } from '../../src/reader.ts'
import { bmpFile } from '../support/bmp.ts'

/** Pixels of whole bytes are copied by a kernel that checks nothing: what a header says is compared with the file before. */

const LONG = 65_535
const shapes = [
  { width: LONG, height: 1 },
  { width: LONG, height: -1 },
  { width: 1, height: LONG },
  { width: 1, height: -LONG },
  { width: 333, height: 17 },
] as const
const stride = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4
const byteAt = (at: number) => (at * 7_919) >> 3

for (const bits of [24, 32] as const)
  test(`${bits} bits of the longest sides, complete and a byte too short`, async () => {
    for (const { width, height } of shapes) {
      const rows = Math.abs(height)
      const all = Uint8Array.from({ length: stride(width, bits) * rows }, (_, at) => byteAt(at))
      // The padding of the last row may be missing.
      const pixels = all.subarray(0, stride(width, bits) * (rows - 1) + (width * bits) / 8)
      const { data, channels } = await bmpReader.decode(bmpFile({ width, height, bits, pixels }))
      assert.equal(data.length, width * rows * channels)
      const lastRow = height < 0 ? rows - 1 : 0
      const from = lastRow * stride(width, bits) + ((width - 1) * bits) / 8
      assert.deepEqual(data.subarray(-3), Uint8Array.of(byteAt(from + 2), byteAt(from + 1), byteAt(from)))
      const cut = bmpFile({ width, height, bits, pixels: pixels.subarray(0, -1) })
      await assert.rejects(bmpReader.decode(cut), UnreadableError)
    }
  })

test('sizes of nothing, and more pixels than are allowed, are refused', async () => {
  const sizes = [
    [0, 1],
    [1, 0],
    [0, 0],
    [LONG, LONG],
    [2 ** 31 - 1, 1],
    [1, -(2 ** 31)],
  ] as const
  for (const [width, height] of sizes)
    for (const bits of [24, 32] as const)
      await assert.rejects(bmpReader.decode(bmpFile({ width, height, bits, pixels: [1, 2, 3, 4] })), UnreadableError)
})

test('a picture has no bytes of the one before, neither read nor written', async () => {
  await bmpReader.decode(bmpFile({ width: 64, height: 64, bits: 32, pixels: new Uint8Array(64 * 64 * 4).fill(255) }))
  const { data } = await bmpReader.decode(bmpFile({ width: 5, height: 3, bits: 24, pixels: new Uint8Array(16 * 3) }))
  assert.ok(data.every((sample) => sample === 0))
  const samples = { width: 5, height: 3, data: new Uint8Array(45), channels: 3, green: 1, blue: 2, alpha: undefined }
  assert.ok(
    writeColours(samples)
      .subarray(54)
      .every((byte) => byte === 0),
  )
})
