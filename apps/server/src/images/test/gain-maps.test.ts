import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs, recognise } from '@pixelmill/codecs'
import { withMapItems } from '@pixelmill/codecs/hdr/write-isobmff'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { assertAlike, hdrJpeg, mapOf, NONE, quarters, values } from '@pixelmill/engine/test/support/gain-maps'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** HDR photographs of phones, through the renderers and the encoder of HEIC that this machine has. */

const { post } = sharedServer()

const map = await quarters(240, 160)
const jpeg = await hdrJpeg()
const heic = withMapItems((await writeHeic(photo(480, 320))).bytes, codecs.heic, (await writeHeic(sharp(map))).bytes, values)

const calls = [
  ['convert', { format: 'jpeg' }, [255, 0, NONE, NONE]],
  ['resize', { width: 120, height: 80 }, [255, 0, NONE, NONE]],
  ['crop', { x: 0, y: 0, width: 80, height: 60 }, undefined],
  ['flip', {}, [NONE, NONE, 255, 0]],
  ['flop', {}, [0, 255, NONE, NONE]],
  ['optimize', {}, [255, 0, NONE, NONE]],
] as const

for (const [operation, fields, expected] of calls)
  for (const [name, image] of Object.entries({ jpeg, heic }))
    test(`${operation} of a ${name} keeps its gain map`, async () => {
      const answer = await post(operation, fields, { image })
      assert.equal(answer.status, 200, answer.error?.message ?? '')
      assert.equal(answer.headers.get('x-hdr'), 'kept')
      assert.equal(recognise(answer.bytes)?.name, operation === 'convert' ? 'jpeg' : name)
      const foundMap = await mapOf(answer.bytes)
      if (expected) assertAlike(foundMap.quarters, expected)
      assert.equal(foundMap.values.capacityMax, 2)
    })

test('a format without gain maps gets the picture alone, and says so', async () => {
  const answer = await post('convert', { format: 'webp' }, { image: heic })
  assert.deepEqual([answer.status, answer.headers.get('x-hdr')], [200, 'dropped'])
})
