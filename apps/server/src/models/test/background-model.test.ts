import assert from 'node:assert/strict'
import { test } from 'node:test'
import { darknessModel, patchModel, rowModel } from '@pixelmill/vision/test/support/onnx-file'
import type { ModelsSettings } from 'pixelmill/models/find-models'
import sharp from 'sharp'
import { modelFile, modelsInProcess, needsRuntime, openedModels } from '../../../test/support/models.ts'
import { ModelUnavailable } from '../watched-model.ts'

const never = new AbortController().signal

const WIDTH = 160
const HEIGHT = 90
/** A dark bar before a light wall: not as high as wide, as what models are given is. */
const picture = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#f2f4f8' } })
  .composite([
    {
      input: await sharp({ create: { width: 60, height: 50, channels: 3, background: '#401018' } })
        .png()
        .toBuffer(),
      left: 50,
      top: 20,
    },
  ])
  .png()
  .toBuffer()

/** Each tells dark from light; what differs is their form. */
const works: Readonly<Record<string, readonly [file: Buffer, settings?: Partial<ModelsSettings>]>> = {
  'a model with a sigmoid': [darknessModel()],
  'a model that gives logits': [darknessModel({ sigmoid: false })],
  'a model of logits by name': [darknessModel({ sigmoid: false }), { BG_MODEL_PRESET: 'birefnet-general' }],
  'a model with a second output': [darknessModel({ extra: true })],
  'a model of pictures that are wider than high': [darknessModel({ width: 96, height: 48 })],
  'a model that leaves its sides open': [darknessModel({ width: 'w', height: 'h' }), { BG_MODEL_SIZE: 64 }],
  'a model with weights of its own, for numbers of its own': [
    darknessModel({ weight: -1, bias: 200 }),
    { BG_MODEL_MEAN: [0, 0, 0], BG_MODEL_STD: [1 / 255, 1 / 255, 1 / 255] },
  ],
}
/** Each in a file of its own: a process loads the file of a path once. */
let files = 0
const anyFile = (content: Buffer | string) => modelFile(`any-${files++}.onnx`, content)

for (const [nth, [name, [file, settings]]] of Object.entries(works).entries()) {
  test(`${name} cuts out`, needsRuntime, async () => {
    // The first in a renderer, as in production.
    const open = nth === 0 ? openedModels : modelsInProcess
    await using openedModelsValue = await open({ BG_MODEL_PATH: await anyFile(file), ...settings })
    const { state, preset } = await openedModelsValue.tried('background')
    assert.deepEqual([state, preset], ['ready', settings?.BG_MODEL_PRESET ?? 'u2net'])
    const { report, file: cut } = (await openedModelsValue.models.cutOut?.('', [picture], 'png', never)) ?? {}
    assert.ok((report?.confidence ?? 0) > 0.5, `confidence ${report?.confidence}`)
    const { data, info } = await sharp(cut).raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height, info.channels], [WIDTH, HEIGHT, 4])
    const at = (x: number, y: number) => [...data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 4)]
    assert.deepEqual(
      [at(80, 45), at(4, 4), at(155, 85)],
      [
        [0x40, 0x10, 0x18, 255],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    )
  })
}

/** What /readyz says to all of a file that is no such model. */
const fails: Readonly<Record<string, readonly [file: Buffer | string, why: RegExp]>> = {
  'a text': ['no model at all\n', /^the runtime cannot load it: .*[Pp]rotobuf/],
  'an empty file': ['', /^the runtime cannot load it/],
  'half a model': [darknessModel().subarray(0, 120), /^the runtime cannot load it/],
  'a model of rows': [rowModel(), /^it takes \[1, 64\], not \[1, 3, height, width\]$/],
  'a model of four channels': [darknessModel({ channels: 4 }), /^it takes \[1, 4, 64, 64\], not \[1, 3, height, width\]$/],
  'a model of brightness alone': [darknessModel({ channels: 1 }), /^it takes grey pictures, not RGB$/],
  'a model of enormous pictures': [darknessModel({ height: 100_000 }), /^it takes pictures of 100000 pixels a side$/],
  'a model that gives three numbers for each pixel': [
    darknessModel({ outputs: 3 }),
    /^it gives 3 numbers for each pixel, not one$/,
  ],
  'a model that breaks at a picture': [patchModel(), /^it fails on a picture: [ -~]*\bAdd\b/],
}
for (const [nth, [name, [file, why]]] of Object.entries(fails).entries()) {
  test(`${name} fails its trial, and says why without a path`, needsRuntime, async () => {
    const open = nth === 0 ? openedModels : modelsInProcess
    await using openedModelsValue = await open({ BG_MODEL_PATH: await anyFile(file) })
    const report = await openedModelsValue.tried('background')
    assert.equal(report.state, 'failed')
    assert.match(report.why ?? '', why)
    assert.doesNotMatch(report.why ?? '', /any-\d|\/tmp/)
    await assert.rejects(async () => openedModelsValue.models.cutOut?.('', [picture], 'png', never), ModelUnavailable)
  })
}

test('a file with the name of a known model is taken to be that', needsRuntime, async () => {
  const path = await modelFile('ISNet-general-use.onnx', darknessModel())
  await using openedModelsValue = await modelsInProcess({ BG_MODEL_PATH: path })
  assert.equal((await openedModelsValue.tried('background')).preset, 'isnet-general-use')
})

test('a picture that is cut out already is left unchanged, and one without a subject has no file', needsRuntime, async () => {
  await using openedModelsValue = await modelsInProcess({ BG_MODEL_PATH: await anyFile(darknessModel()) })
  const clear = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#12345600' } })
    .png()
    .toBuffer()
  const wall = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const pictureSeen = async (image: Buffer) => {
    const { report, file } = (await openedModelsValue.models.cutOut?.('', [image], 'png', never)) ?? {}
    return { alreadyCutOut: report?.alreadyCutOut, confidence: report?.confidence, file }
  }
  assert.deepEqual(await pictureSeen(clear), { alreadyCutOut: true, confidence: 1, file: undefined })
  assert.deepEqual(await pictureSeen(wall), { alreadyCutOut: false, confidence: 0, file: undefined })
})

test("a damaged picture is the caller's fault, and the model stays ready", needsRuntime, async () => {
  await using openedModelsValue = await modelsInProcess({ BG_MODEL_PATH: await anyFile(darknessModel()) })
  const damagedBytes = picture.subarray(0, picture.length >> 1)
  await assert.rejects(async () => openedModelsValue.models.cutOut?.('', [damagedBytes], 'png', never), { code: 'invalid_image' })
  assert.equal(openedModelsValue.models.reports().background?.state, 'ready')
})

test('no other renderer runs a model', needsRuntime, async () => {
  await using openedModelsValue = await openedModels({})
  const model = { path: await anyFile(darknessModel()), runtime: '/', threads: 1, activation: 'auto' } as const
  await assert.rejects(openedModelsValue.pool.run('modelCutOut', { format: 'png', model }, [[picture]], never), /there are none/)
  assert.deepEqual(openedModelsValue.models.reports(), {})
})
