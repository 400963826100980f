import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { readConfig } from '../../src/config.ts'
import { findModels } from '../../src/models/find-models.ts'
import { removeBackground, studio } from '../support/background-call.ts'
import { modelFile, needsRuntime } from '../support/models.ts'
import { darknessModel, endlessModel, enlargingModel } from '../support/onnx-file.ts'
import { pixel, solid } from '../support/pictures.ts'
import { run, type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const cutting = darknessModel()
const enlarging = enlargingModel()

const [WIDTH, HEIGHT] = [240, 160]
const picture = await studio(WIDTH, HEIGHT).png().toBuffer()
/** As the studio's, but the ball is light blue: more than the model takes for dark. */
const light = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f0f0ee"/>
  <circle cx="50%" cy="50%" r="51" fill="#70a8e0"/></svg>`,
)

interface ReadyAnswer {
  readonly status: string
  readonly models?: Readonly<Record<string, { readonly state: string; readonly why?: string }>>
}

const ready = async ({ url }: Server): Promise<ReadyAnswer> => (await fetch(`${url}/readyz`)).json() as Promise<ReadyAnswer>

/** What /readyz says once all models have been tried. */
async function tried(server: Server): Promise<ReadyAnswer> {
  const over = async () => Object.values((await ready(server)).models ?? {}).every(({ state }) => state !== 'loading')
  assert.ok(await until(over, 60_000))
  return ready(server)
}

/** Who removed the background, and what is left in the middle and in a corner. */
async function removal(server: Server, image = picture) {
  const { status, headers, bytes, error } = await removeBackground(server.url, server.key, image)
  const by = headers.get('x-background-removal')
  if (status !== 200) return { status, by, code: error?.statusMessage }
  const seen = [await pixel(bytes, WIDTH / 2, HEIGHT / 2), await pixel(bytes, 3, 3)].map(([, , , alpha]) => alpha)
  return { status, by, seen, confidence: Number(headers.get('x-background-confidence')) }
}

test('a model is tried when the server starts, and cuts out what is sent', needsRuntime, async () => {
  const paths = { BG_MODEL_PATH: await modelFile('u2netp.onnx', cutting), SR_MODEL_PATH: await modelFile('sr.onnx', enlarging) }
  await using server = await startServer({ ...paths, BG_MODEL_SHA256: sha256(cutting).toUpperCase(), RENDERERS: '1' })
  assert.deepEqual((await tried(server)).models, {
    background: { state: 'ready', sha256: sha256(cutting), preset: 'u2netp' },
    superResolution: { state: 'ready', sha256: sha256(enlarging), factor: 2 },
  })
  const { confidence = 0, ...rest } = await removal(server)
  assert.deepEqual(rest, { status: 200, by: 'model', seen: [255, 0] })
  assert.ok(confidence > 0.8)
  // The model sees no subject, and the next remover finds it without one.
  assert.equal((await removal(server, await sharp(light).removeAlpha().png().toBuffer())).by, 'local')
  assert.equal((await removal(server, await solid(WIDTH, HEIGHT, '#12345680').png().toBuffer())).by, 'local')
  assert.deepEqual(await removal(server, picture.subarray(0, 700)), { status: 400, by: null, code: 'invalid_image' })
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  for (const line of [
    'pixelmill_model_state{model="background",state="ready"} 1',
    'pixelmill_model_state{model="background",state="failed"} 0',
    'pixelmill_renderers_ready{lane="model"} 1',
  ])
    assert.ok(metrics.includes(line), line)
})

test('a model that never answers is told of, and nobody waits for it', needsRuntime, async () => {
  const settings = { BG_MODEL_PATH: await modelFile('endless.onnx', endlessModel()), MODEL_TIMEOUT_S: '3', RENDERERS: '1' }
  await using server = await startServer(settings)
  // Under trial: it is waited for, and done without then.
  const { confidence: _, ...early } = await removal(server)
  assert.deepEqual(early, { status: 200, by: 'local', seen: [255, 0] })
  const { status, models } = await tried(server)
  assert.equal(status, 'ready')
  assert.partialDeepStrictEqual(models?.background, { state: 'failed', why: 'it did not answer within 3 s' })
  assert.match(server.output(), /"why":"it did not answer within 3 s".*a model was tried/)
  assert.equal((await removal(server)).by, 'local')
})

test('a server that stops does not wait for a trial', needsRuntime, async () => {
  // Longer than this test may take.
  const settings = { BG_MODEL_PATH: await modelFile('endless.onnx', endlessModel()), MODEL_TIMEOUT_S: '600', RENDERERS: '1' }
  const server = await startServer(settings)
  assert.equal((await ready(server)).models?.background?.state, 'loading')
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})

const missing = join(import.meta.dirname, 'no-such-model.onnx')
const wrongs: readonly (readonly [settings: Readonly<Record<string, string>>, says: RegExp])[] = [
  [{ BG_MODEL_PATH: missing }, /BG_MODEL_PATH names \S+no-such-model\.onnx, which is not there\./],
  [{ SR_MODEL_PATH: dirname(missing) }, /SR_MODEL_PATH names \S+, which is not a file\./],
  [
    { BG_MODEL_PATH: await modelFile('u2net.onnx', cutting), BG_MODEL_SHA256: 'ab'.repeat(32) },
    new RegExp(`BG_MODEL_PATH names a file with the SHA-256 ${sha256(cutting)}, which is not BG_MODEL_SHA256`),
  ],
  [{ BG_MODEL_SHA256: 'abc' }, /BG_MODEL_SHA256 must be 64 hexadecimal digits/],
  [{ BG_MODEL_MEAN: '0.5,0.5' }, /BG_MODEL_MEAN must be three numbers/],
  [{ BG_MODEL_STD: '0.5,0.5,0' }, /BG_MODEL_STD must be three numbers above 0/],
  [{ BG_MODEL_PRESET: 'u3net' }, /BG_MODEL_PRESET must be one of u2net_human_seg, u2netp, u2net,/],
]
for (const [settings, says] of wrongs) {
  test(`models that are wrong are told before anything starts: ${says.source.slice(0, 60)}`, async () => {
    await assert.rejects(async () => findModels(readConfig(settings)), { name: 'StartError', message: says })
  })
}

test('a server that is told of a model that is not there ends in one sentence', async () => {
  const server = run({ BG_MODEL_PATH: missing, DATA_DIR: dirname(await modelFile('any.onnx', cutting)) })
  assert.equal((await server.exited).code, 1)
  assert.match(server.output(), /BG_MODEL_PATH names \S+no-such-model\.onnx, which is not there\./)
  assert.doesNotMatch(server.output(), /\n\s+at /)
})
