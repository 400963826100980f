import assert from 'node:assert/strict'
import { test } from 'node:test'
import { darknessModel, enlargingModel } from '@pixelmill/vision/test/support/onnx-file'
import sharp from 'sharp'
import { modelFile, modelsInProcess, needsRuntime } from '../../../test/support/models.ts'

const never = new AbortController().signal
/** Each in a file of its own: a process loads the file of a path once. */
let files = 0
const anyFile = (content: Buffer) => modelFile(`sr-${files++}.onnx`, content)

const options = { intensity: 2, preview: true } as const

/** Every pixel tells where it is: a seam, a shift or a turned tile would show. */
function coordinates(width: number, height: number, channels: 3 | 4): Buffer {
  const data = Buffer.alloc(width * height * channels)
  for (let pixel = 0, at = 0; pixel < width * height; pixel++, at += channels) {
    const x = pixel % width
    const y = Math.floor(pixel / width)
    data.set([x % 256, y % 256, (x >> 8) * 16 + (y >> 8), ...(channels === 4 ? [x < 20 ? 0 : 255] : [])], at)
  }
  return data
}

async function upscaledWith(model: Buffer, raw: Buffer, width: number, height: number) {
  const channels = raw.length === width * height * 4 ? 4 : 3
  await using openedModels = await modelsInProcess({ SR_MODEL_PATH: await anyFile(model) })
  const { state, factor = 0 } = await openedModels.tried('superResolution')
  assert.equal(state, 'ready')
  const picture = await sharp(raw, { raw: { width, height, channels } }).png().toBuffer()
  const { report, file } = (await openedModels.models.upscale?.('', [picture], options, never)) ?? {}
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height, info.channels], [width * factor, height * factor, channels])
  return { report, factor, data }
}

/** The most that any sample differs from its pixel's, each of which became factor × factor of them. */
function farthest(data: Buffer, raw: Buffer, width: number, factor: number, channels: number): number {
  let most = 0
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / channels)
    const x = Math.floor((pixel % (width * factor)) / factor)
    const y = Math.floor(pixel / (width * factor) / factor)
    most = Math.max(most, Math.abs((data[at] as number) - (raw[(y * width + x) * channels + (at % channels)] as number)))
  }
  return most
}

const models: Readonly<Record<string, readonly [model: Buffer, factor: number]>> = {
  'a model of pictures of any size': [enlargingModel(), 2],
  'a model that makes four times of it': [enlargingModel({ factor: 4 }), 4],
  'a model of small tiles': [enlargingModel({ factor: 3, side: 48 }), 3],
}
for (const [name, [model, expected]] of Object.entries(models)) {
  test(`${name} enlarges tile by tile, without a seam`, needsRuntime, async () => {
    const width = 340
    const height = 290
    const raw = coordinates(width, height, 3)
    const { report, factor, data } = await upscaledWith(model, raw, width, height)
    assert.equal(factor, expected)
    assert.equal(farthest(data, raw, width, factor, 3), 0)
    assert.deepEqual(report?.operations, [{ name: 'upscale', params: { factor, model: true } }])
    assert.deepEqual([report?.mode, report?.requestedMode, report?.intensity], ['upscale', 'upscale', 2])
    assert.partialDeepStrictEqual(report?.enhanced, { width: width * factor, height: height * factor, format: 'png' })
  })
}

test('a picture of a few pixels is enlarged too', needsRuntime, async () => {
  const raw = coordinates(5, 3, 3)
  const { data } = await upscaledWith(enlargingModel(), raw, 5, 3)
  assert.equal(farthest(data, raw, 5, 2, 3), 0)
})

test('a model of brightness changes all colours equally', needsRuntime, async () => {
  const raw = Buffer.alloc(64 * 64 * 3).fill(Buffer.from([40, 90, 20]))
  const { data } = await upscaledWith(enlargingModel({ channels: 1, lighter: 0.2 }), raw, 64, 64)
  for (let at = 0; at < data.length; at += 3) assert.deepEqual([...data.subarray(at, at + 3)], [91, 141, 71])
})

test('transparent pixels stay transparent, and have no colour', needsRuntime, async () => {
  const { data } = await upscaledWith(enlargingModel(), coordinates(60, 40, 4), 60, 40)
  const at = (x: number, y: number) => [...data.subarray((y * 120 + x) * 4, (y * 120 + x) * 4 + 4)]
  assert.deepEqual(
    [at(4, 4), at(80, 60)],
    [
      [0, 0, 0, 0],
      [40, 30, 0, 255],
    ],
  )
})

const fails: Readonly<Record<string, readonly [model: Buffer, why: RegExp]>> = {
  'a model that enlarges nothing': [enlargingModel({ factor: 1 }), /^it makes 256 × 256 of 256 × 256 pixels$/],
  'a model that tells subjects': [darknessModel({ height: 'h', width: 'w' }), /^it gives 1 numbers for each pixel, not 3$/],
}
for (const [name, [model, why]] of Object.entries(fails)) {
  test(`${name} fails its trial`, needsRuntime, async () => {
    await using openedModels = await modelsInProcess({ SR_MODEL_PATH: await anyFile(model) })
    const report = await openedModels.tried('superResolution')
    assert.match(report.why ?? '', why)
  })
}

test('a picture whose result would exceed 40 megapixels is left to the filter', needsRuntime, async () => {
  await using openedModels = await modelsInProcess({ SR_MODEL_PATH: await anyFile(enlargingModel({ factor: 4 })) })
  const picture = await sharp({ create: { width: 1_700, height: 1_500, channels: 3, background: '#123' } })
    .jpeg()
    .toBuffer()
  await assert.rejects(async () => openedModels.models.upscale?.('', [picture], options, never), {
    name: 'ModelUnavailable',
    message: 'the result would be too large',
  })
  assert.equal(openedModels.models.reports().superResolution?.state, 'ready')
})
