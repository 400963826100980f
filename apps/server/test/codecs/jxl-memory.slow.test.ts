import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jxl } from '@pixelmill/codecs/jxl/index'
import { jxlReader } from '@pixelmill/codecs/jxl/reader'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { operations } from '@pixelmill/engine/tasks/index'
import { openPool } from '../support/rendering.ts'

/** A minute and a half of two cores, for code that seldom changes. */
const skip = skipByDay

/** Pictures of many sizes leave the memory of WebAssembly in pieces: from the fifth size on no part of it was large enough. */
test('pictures of many sizes are written and read, one after the other', { skip }, async () => {
  const write = (width: number, height: number, deep: boolean) => {
    const pixels = photo(width, height).toColourspace(deep ? 'rgb16' : 'srgb')
    return (jxl.levels ?? assert.fail()).write(pixels, { megapixels: 1, animation: undefined, deep }, 70)
  }
  const large = await write(3_840, 2_160, true)
  for (const [width, height] of [
    ...([
      [754, 1_024],
      [1_507, 2_048],
      [1_251, 1_700],
    ] as const),
    ...([
      [1_024, 683],
      [2_048, 1_366],
      [1_638, 2_048],
    ] as const),
  ]) {
    const small = await write(width, height, false)
    for (const { bytes, ...size } of [small, large]) {
      const read = await jxlReader.decode(bytes)
      assert.deepEqual({ width: read.width, height: read.height }, size)
    }
  }
})

test('a renderer gives back the memory of JPEG XL, and is not replaced each time', { skip }, async (t) => {
  const restarts: string[] = []
  const pool = openPool({ renderers: 1 }, { onRestart: (reason) => void restarts.push(reason) })
  t.after(() => pool.close())
  const jpeg = await photo(1_200, 900).jpeg().toBuffer()
  const convert = async (file: Buffer, format: 'jxl' | 'webp') => {
    const params = operations.convert.params.parse({ format })
    const { files } = await pool.run('convert', params, [[Buffer.from(file)]], new AbortController().signal)
    return files[0] ?? assert.fail()
  }
  for (let round = 0; round < 8; round++) await convert(await convert(jpeg, 'jxl'), 'webp')
  assert.ok(restarts.length <= 4, restarts.join())
})
