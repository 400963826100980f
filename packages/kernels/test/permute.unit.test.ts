import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorkspace } from '../src/memory.ts'
import { type Permutation, permuteRows, type Rows } from '../src/permute.ts'
import { randomNumbers } from './support/random-numbers.ts'

const next = randomNumbers(7)
const bytesOf = (length: number) => Uint8Array.from({ length }, () => Math.floor(next() * 256))

/** The reference, into a copy of what is there. */
function reference(from: Rows, to: Rows, { width, height, pixelBytes, places }: Permutation): Uint8Array {
  const data = to.data.slice()
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (const [at, place] of places.entries())
        data[to.start + y * to.stride + x * places.length + at] = from.data[
          from.start + y * from.stride + x * pixelBytes + place
        ] as number
  return data
}

const orders = [
  { pixelBytes: 3, places: [2, 1, 0] },
  { pixelBytes: 4, places: [2, 1, 0, 3] },
  { pixelBytes: 4, places: [3, 2, 1] },
  { pixelBytes: 1, places: [0, 0, 0] },
  { pixelBytes: 2, places: [0, 0, 0, 1] },
  { pixelBytes: 3, places: [0] },
  { pixelBytes: 8, places: [5, 3, 1, 7] },
]

test('every width from 1 to 40 and from 64 to 104 in every order, upwards and downwards, between bytes that are left alone', () => {
  // Those below 64 without the kernel.
  const widths = Array.from({ length: 41 }, (_, at) => [at + 1, at + 64]).flat()
  for (const width of widths)
    for (const { pixelBytes, places } of orders) {
      const height = 1 + (width % 4)
      const stride = width * pixelBytes + (width % 3)
      const resultStride = width * places.length + (width % 5)
      const from = { data: bytesOf(7 + stride * height), start: 7 + (height - 1) * stride, stride: -stride }
      const to = { data: bytesOf(3 + resultStride * height), start: 3, stride: resultStride }
      const permutation = { width, height, pixelBytes, places }
      const expected = reference(from, to, permutation)
      permuteRows(from, to, permutation)
      assert.deepEqual(to.data, expected, `${width}, ${pixelBytes} to ${places}`)
    }
})

test('rows outside of their arrays are an error before a byte is copied', () => {
  const rgb = { width: 4, height: 3, pixelBytes: 3, places: [2, 1, 0] }
  const from = { data: bytesOf(36), start: 0, stride: 12 }
  const to = { data: new Uint8Array(36), start: 0, stride: 12 }
  const outside = [
    [{ ...from, data: from.data.subarray(1) }, to],
    [from, { ...to, data: to.data.subarray(1) }],
    [{ ...from, start: -1 }, to],
    [{ ...from, start: 12, stride: -12 }, to],
    [from, { ...to, start: 1 }],
  ] as const
  for (const [source, target] of outside) assert.throws(() => permuteRows(source, target, rgb), /outside of the array/)
  assert.ok(to.data.every((byte) => byte === 0))
})

test('a picture without pixels, and one of the greatest width', () => {
  const empty = { data: new Uint8Array(), start: 0, stride: 0 }
  permuteRows(empty, empty, { width: 0, height: 0, pixelBytes: 3, places: [2, 1, 0] })
  permuteRows(empty, empty, { width: 0, height: 5, pixelBytes: 3, places: [2, 1, 0] })
  const width = 65_535
  const from = { data: bytesOf(width * 3), start: 0, stride: width * 3 }
  const to = { data: new Uint8Array(width * 3), start: 0, stride: width * 3 }
  const permutation = { width, height: 1, pixelBytes: 3, places: [2, 1, 0] }
  permuteRows(from, to, permutation)
  assert.deepEqual(to.data, reference(from, to, permutation))
  const tall = { data: from.data, start: 0, stride: 3 }
  permuteRows(tall, { ...to, stride: 3 }, { ...permutation, width: 1, height: width })
  assert.deepEqual(to.data, reference(from, to, permutation))
})

test('no byte of a picture is left in the memory of the kernels', () => {
  const row = { data: new Uint8Array(3_000).fill(9), start: 0, stride: 3_000 }
  permuteRows(row, row, { width: 1_000, height: 1, pixelBytes: 3, places: [2, 1, 0] })
  using workspace = openWorkspace()
  const address = workspace.allocate(10_000)
  assert.ok(workspace.bytes(address, 10_000).every((byte) => byte === 0))
})
