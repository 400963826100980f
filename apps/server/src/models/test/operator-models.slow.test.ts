import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { photo, pixel } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { darknessModel, endlessModel } from '@pixelmill/vision/test/support/onnx-file'
import { dataUri } from '../../../test/support/ai-server.ts'
import { removeBackground, studio } from '../../../test/support/background-call.ts'
import { send } from '../../../test/support/json-call.ts'
import { modelFile, needsRuntime, openedModels } from '../../../test/support/models.ts'
import { run, type Server, startServer } from '../../../test/support/server.ts'
import { ModelUnavailable } from '../watched-model.ts'

const WIDTH = 120
const HEIGHT = 80
const picture = await studio(WIDTH, HEIGHT).png().toBuffer()
interface ReadyAnswer {
  readonly status: string
  readonly models?: Readonly<Record<string, { readonly state: string; readonly why?: string }>>
}

const ready = async ({ url }: Server): Promise<ReadyAnswer> => (await fetch(`${url}/readyz`)).json() as Promise<ReadyAnswer>

/** What /readyz says once all models have been tried. */
async function untilTried(server: Server): Promise<ReadyAnswer> {
  const over = async () => Object.values((await ready(server)).models ?? {}).every(({ state }) => state !== 'loading')
  assert.ok(await until(over, 60_000))
  return ready(server)
}

/** Which remover removed the background, and the opacity of the middle and of a corner. */
async function removal(server: Server, image = picture) {
  const { status, headers, bytes, error } = await removeBackground(server.url, server.key, image)
  const by = headers.get('x-background-removal')
  if (status !== 200) return { status, by, code: error?.statusMessage }
  const seenNumbers = [await pixel(bytes, WIDTH / 2, HEIGHT / 2), await pixel(bytes, 3, 3)].map(([, , , alpha]) => alpha)
  return { status, by, seen: seenNumbers, confidence: Number(headers.get('x-background-confidence')) }
}

interface Enhanced {
  readonly mode: string
  readonly operations: readonly { readonly name: string; readonly params: object }[]
  readonly enhanced: { readonly width: number; readonly height: number }
  readonly image?: string
}

async function enhancedAnswer({ url, key }: Server, image: Buffer, options: object): Promise<Enhanced> {
  const sentValue = { token: key, body: { image: dataUri(image, 'image/jpeg'), ...options } }
  const { status, body } = await send<Enhanced>(url, 'POST /v1/ai/enhance', sentValue)
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
  return body
}

const small = await photo(120, 80).jpeg().toBuffer()
const width = ({ enhanced }: Enhanced) => enhanced.width

test('a model that never answers fails its trial, and is given up', needsRuntime, async () => {
  await using openedModelsValue = await openedModels({
    BG_MODEL_PATH: await modelFile('any.onnx', endlessModel()),
    MODEL_TIMEOUT_S: 1,
  })
  const report = await openedModelsValue.tried('background')
  assert.deepEqual([report.state, report.why], ['failed', 'it did not answer within 1 s'])
  await assert.rejects(
    async () => openedModelsValue.models.cutOut?.('', [picture], 'png', new AbortController().signal),
    ModelUnavailable,
  )
})

test('a background model that never answers is reported, and the local remover is used', needsRuntime, async () => {
  const settings = { BG_MODEL_PATH: await modelFile('endless.onnx', endlessModel()), MODEL_TIMEOUT_S: '1', RENDERERS: '1' }
  await using server = await startServer(settings)
  // The request waits for the trial, and is then done without the model.
  const { confidence: _, ...early } = await removal(server)
  assert.deepEqual(early, { status: 200, by: 'local', seen: [255, 0] })
  const { status, models } = await untilTried(server)
  assert.equal(status, 'ready')
  assert.partialDeepStrictEqual(models?.background, { state: 'failed', why: 'it did not answer within 1 s' })
  assert.match(server.output(), /"why":"it did not answer within 1 s".*a model was tried/)
  assert.equal((await removal(server)).by, 'local')
})

test('a server that stops does not wait for the trial of a model', needsRuntime, async () => {
  // Longer than this test may take.
  const settings = { BG_MODEL_PATH: await modelFile('endless.onnx', endlessModel()), MODEL_TIMEOUT_S: '600', RENDERERS: '1' }
  const server = await startServer(settings)
  assert.equal((await ready(server)).models?.background?.state, 'loading')
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})

test('where the enlarging model never answers, the filters enlarge, and the log says so', needsRuntime, async () => {
  const settings = { SR_MODEL_PATH: await modelFile('never.onnx', endlessModel()), MODEL_TIMEOUT_S: '1', RENDERERS: '1' }
  await using server = await startServer(settings)
  const answer = await enhancedAnswer(server, small, { mode: 'upscale' })
  assert.equal(width(answer), 240)
  assert.match(server.output(), /it did not answer within 1 s.*the model did not enlarge an image/)
})

const missing = join(import.meta.dirname, 'no-such-model.onnx')
test('a server whose model file is missing ends with one sentence', async () => {
  const server = run({ BG_MODEL_PATH: missing, DATA_DIR: dirname(await modelFile('any.onnx', darknessModel())) })
  assert.equal((await server.exited).code, 1)
  assert.match(server.output(), /BG_MODEL_PATH names \S+no-such-model\.onnx, which does not exist\./)
  assert.doesNotMatch(server.output(), /\n\s+at /)
})

test('a server without the key of its removal service ends with one sentence', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-test-'))
  const { exited, output } = run({ BG_PROVIDER: 'removebg', DATA_DIR: dir })
  assert.notEqual((await exited).code, 0)
  assert.match(output(), /BG_PROVIDER_KEY must be set for BG_PROVIDER=removebg/)
  await rm(dir, { recursive: true })
})
