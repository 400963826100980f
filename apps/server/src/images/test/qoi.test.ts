import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognise } from '@pixelmill/codecs'
import { readPixels } from '@pixelmill/codecs/pixels/from-bitmap'
import { qoi } from '@pixelmill/codecs/qoi/index'
import { qoiReader } from '@pixelmill/codecs/qoi/reader'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** QOI, which only our own codec reads and writes, through the service. */

const { post } = sharedServer()

const picture = await photo(240, 160).png().toBuffer()
const { bytes: image } = await qoi.encode(sharp(picture), { quality: undefined, megapixels: 1, animation: undefined })

test('it becomes PNG, pixel for pixel', async () => {
  const { status, bytes } = await post('convert', { format: 'png' }, { image })
  assert.equal(status, 200)
  assert.deepEqual(await sharp(bytes).raw().toBuffer(), await sharp(picture).raw().toBuffer())
})

test('an operation that keeps the format writes it', async () => {
  const { headers, bytes } = await post('resize', { width: 60, height: 60 }, { image })
  assert.equal(headers.get('content-type'), 'image/qoi')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="resized.qoi"')
  assert.equal(recognise(bytes), qoi)
  const { pixels } = await readPixels(qoiReader, bytes)
  const { width, height } = await pixels.metadata()
  assert.deepEqual([width, height], [60, 40])
})

test('a file that ends too early is refused with a sentence', async () => {
  const { status, error } = await post('convert', { format: 'png' }, { image: image.subarray(0, image.length >> 1) })
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image'])
  assert.match(error?.message ?? '', /ends before its pixels/)
})
