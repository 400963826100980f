import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { darknessModel, enlargingModel } from '@pixelmill/vision/test/support/onnx-file'
import { findModels } from 'pixelmill/models/find-models'
import sharp from 'sharp'
import { dataUri } from '../../../test/support/ai-server.ts'
import { removeBackground, studio } from '../../../test/support/background-call.ts'
import { send } from '../../../test/support/json-call.ts'
import { modelFile, needsRuntime } from '../../../test/support/models.ts'
import { metricsOf } from '../../../test/support/read-metric.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { readConfig } from '../../config.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const cutting = darknessModel()
const enlarging = enlargingModel({ factor: 8 })

const WIDTH = 120
const HEIGHT = 80
const picture = await studio(WIDTH, HEIGHT).png().toBuffer()
/** As the studio's, but the ball is light blue: more than the model takes for dark. */
const light = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f0f0ee"/>
  <circle cx="50%" cy="50%" r="25" fill="#70a8e0"/></svg>`,
)

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

describe('a server with models', needsRuntime, () => {
  let server: Server
  before(async () => {
    const paths = { BG_MODEL_PATH: await modelFile('u2netp.onnx', cutting), SR_MODEL_PATH: await modelFile('sr.onnx', enlarging) }
    server = await startServer({ ...paths, BG_MODEL_SHA256: sha256(cutting).toUpperCase(), RENDERERS: '1' })
  })
  after(() => server?.[Symbol.asyncDispose]())

  test('the models are tried when the server starts, and one cuts out the background', async () => {
    assert.deepEqual((await untilTried(server)).models, {
      background: { state: 'ready', sha256: sha256(cutting), preset: 'u2netp' },
      superResolution: { state: 'ready', sha256: sha256(enlarging), factor: 8 },
    })
    const { confidence = 0, ...rest } = await removal(server)
    assert.deepEqual(rest, { status: 200, by: 'model', seen: [255, 0] })
    assert.ok(confidence > 0.8)
    // The model sees no subject, and the next remover finds it without one.
    assert.equal((await removal(server, await sharp(light).removeAlpha().png().toBuffer())).by, 'local')
    assert.equal((await removal(server, await solid(WIDTH, HEIGHT, '#12345680').png().toBuffer())).by, 'local')
    assert.deepEqual(await removal(server, picture.subarray(0, 700)), { status: 400, by: null, code: 'invalid_image' })
    const metrics = await metricsOf(server)
    for (const line of [
      'pixelmill_model_state{model="background",state="ready"} 1',
      'pixelmill_model_state{model="background",state="failed"} 0',
      'pixelmill_renderers_ready{lane="model"} 1',
    ])
      assert.ok(metrics.includes(line), line)
  })

  test('the model enlarges; for other modes and images that are too large for it, the filters do', async () => {
    const larger = await enhancedAnswer(server, small, { mode: 'upscale' })
    assert.deepEqual(larger.operations, [{ name: 'upscale', params: { factor: 8, model: true } }])
    assert.deepEqual([larger.mode, width(larger), larger.enhanced.height], ['upscale', 960, 640])
    assert.match(larger.image ?? '', /^data:image\/jpeg;base64,/)
    assert.equal((await enhancedAnswer(server, small, { mode: 'upscale', returnPreview: false })).image, undefined)
    assert.equal(width(await enhancedAnswer(server, small, { mode: 'denoise' })), 120)
    // 64 times 0.65 megapixels exceed the limit, four times do not.
    const large = await photo(900, 720).jpeg().toBuffer()
    const doubledValue = await enhancedAnswer(server, large, { mode: 'upscale', intensity: 1 })
    assert.equal(width(doubledValue), 1_800)
    assert.doesNotMatch(JSON.stringify(doubledValue.operations), /model/)
  })
})

const missing = join(import.meta.dirname, 'no-such-model.onnx')
const wrongs: readonly (readonly [settings: Readonly<Record<string, string>>, says: RegExp])[] = [
  [{ BG_MODEL_PATH: missing }, /BG_MODEL_PATH names \S+no-such-model\.onnx, which does not exist\./],
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
  test(`wrong settings of models are reported before anything starts: ${says.source.slice(0, 60)}`, async () => {
    await assert.rejects(async () => findModels(readConfig(settings)), { name: 'StartError', message: says })
  })
}
