import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bitmap } from '@pixelmill/codecs/reader'
import { type Filter, filterPlane } from '@pixelmill/kernels/rows'
import { enhance } from '../../src/enhance/enhance.ts'
import { readTile } from '../../src/enhance/planes.ts'
import { runSteps } from '../../src/enhance/run-steps.ts'
import { type Operation, stepOf } from '../../src/enhance/steps.ts'
import { bitmap, normal } from './pictures.ts'

const denoise: Operation = { name: 'denoise', params: { noise: [8, 8, 8], stride: 4 } }
const deblur: Operation = { name: 'deblur', params: { sigma: 1.7, alpha: 2, beta: 3 } }
const upscale: Operation = { name: 'upscale', params: { factor: 2, backProjection: true } }

const random = normal(11)
const rough = bitmap(50, 141, 4, (x, y, channel) =>
  channel === 3 ? (Math.hypot(x - 25, y - 70) < 55 ? 255 : 0) : 120 + 50 * Math.sin(x / 5 + channel) + 8 * random(),
)

const copyOf = (picture: Bitmap): Bitmap => ({ ...picture, data: picture.data.slice() })

test('steps follow one another without rounding, as on whole planes', () => {
  const noise = normal(13)
  const picture = bitmap(50, 141, 3, (x, y, channel) => 120 + 50 * Math.sin((x + y) / 5 + channel) + 8 * noise())
  const source = readTile(picture, false, { left: 0, top: 0, width: 50, height: 141 })
  for (const operations of [[denoise], [deblur], [upscale], [denoise, deblur], [denoise, upscale, deblur]]) {
    const steps = operations.map(stepOf)
    const filter =
      (plane: number): Filter =>
      (workspace, rows) =>
        steps.reduce((current, step) => step.ofColour(workspace, current, plane), rows)
    const planes = source.planes.map((plane, at) => filterPlane(plane, 50, 141, filter(at)))
    const { data } = runSteps(copyOf(picture), false, steps)
    for (let at = 0; at < data.length / 3; at++) {
      const [light, redBlue, green] = planes.map((plane) => plane[at] ?? Number.NaN) as [number, number, number]
      const red = light / Math.sqrt(3) + redBlue / Math.SQRT2 + green / Math.sqrt(6)
      assert.ok(Math.abs((data[3 * at] as number) - Math.max(0, Math.min(255, red))) < 0.501)
    }
  }
})

test('a result of the same size overwrites the picture, to save memory', () => {
  const picture = copyOf(rough)
  assert.equal(runSteps(picture, false, [stepOf(denoise)]).data, picture.data)
  assert.notDeepEqual(picture.data, rough.data)
  assert.notEqual(runSteps(picture, false, [stepOf(upscale)]).data, picture.data)
})

test('values beyond black and white are clamped', () => {
  const picture = bitmap(40, 40, 3, (x) => (x < 20 ? 0 : 255))
  const { data } = runSteps(picture, false, [stepOf(deblur)])
  assert.deepEqual([data[0], data[19 * 3], data[20 * 3], data[39 * 3]], [0, 0, 255, 255])
})

test('transparent pixels do not tint visible ones', () => {
  const cut = bitmap(60, 60, 4, (x, _, channel) => (x < 30 ? (channel === 3 ? 255 : 200) : 0))
  for (const operation of [deblur, upscale]) {
    const { data, width } = runSteps(cut, false, [stepOf(operation)])
    for (let x = 0; x < width; x++) {
      const [red, , , alpha] = data.subarray((20 * width + x) * 4, (20 * width + x) * 4 + 4)
      assert.equal(red, (alpha ?? 0) > 0 ? 200 : 0, `${x}`)
    }
  }
})

test('a grey picture stays grey', () => {
  const noise = normal(2)
  const picture = bitmap(128, 128, 3, () => 0)
  for (let at = 0; at < picture.data.length; at += 3) picture.data.fill(Math.round(128 + 12 * noise()), at, at + 3)
  const { picture: result, operations } = enhance(picture, { mode: 'denoise', intensity: 2 })
  assert.equal(operations.length, 1)
  assert.equal(operations[0]?.name === 'denoise' && operations[0].params.noise.length, 1)
  const { data } = result
  for (let at = 0; at < data.length; at += 3) assert.ok(data[at] === data[at + 1] && data[at] === data[at + 2])
})
