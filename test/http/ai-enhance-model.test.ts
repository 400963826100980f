import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataUri } from '../support/ai-server.ts'
import { send } from '../support/json-call.ts'
import { modelFile, needsRuntime } from '../support/models.ts'
import { endlessModel, enlargingModel } from '../support/onnx-file.ts'
import { photo } from '../support/pictures.ts'
import { type Server, startServer } from '../support/server.ts'

interface Answer {
  readonly mode: string
  readonly operations: readonly { readonly name: string; readonly params: object }[]
  readonly enhanced: { readonly width: number; readonly height: number }
  readonly image?: string
}

async function enhanced({ url, key }: Server, image: Buffer, wish: object): Promise<Answer> {
  const sent = { token: key, body: { image: dataUri(image, 'image/jpeg'), ...wish } }
  const { status, body } = await send<Answer>(url, 'POST /v1/ai/enhance', sent)
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
  return body
}

const small = await photo(120, 80).jpeg().toBuffer()
const width = ({ enhanced }: Answer) => enhanced.width

test('the model of the operator enlarges; all else, and what is too large for it, the filters do', needsRuntime, async () => {
  const SR_MODEL_PATH = await modelFile('four-times.onnx', enlargingModel({ factor: 4 }))
  await using server = await startServer({ SR_MODEL_PATH, RENDERERS: '1' })
  const larger = await enhanced(server, small, { mode: 'upscale' })
  assert.deepEqual(larger.operations, [{ name: 'upscale', params: { factor: 4, model: true } }])
  assert.deepEqual([larger.mode, width(larger), larger.enhanced.height], ['upscale', 480, 320])
  assert.match(larger.image ?? '', /^data:image\/jpeg;base64,/)
  assert.equal((await enhanced(server, small, { mode: 'upscale', returnPreview: false })).image, undefined)
  assert.equal(width(await enhanced(server, small, { mode: 'denoise' })), 120)
  // Sixteen times 2.55 megapixels are more than there may be, four times are not.
  const large = await photo(1_700, 1_500).jpeg().toBuffer()
  const doubled = await enhanced(server, large, { mode: 'upscale', intensity: 1 })
  assert.equal(width(doubled), 3_400)
  assert.doesNotMatch(JSON.stringify(doubled.operations), /model/)
})

test('where the model never answers, the filters enlarge, and the operator is told', needsRuntime, async () => {
  const settings = { SR_MODEL_PATH: await modelFile('never.onnx', endlessModel()), MODEL_TIMEOUT_S: '2', RENDERERS: '1' }
  await using server = await startServer(settings)
  const answer = await enhanced(server, small, { mode: 'upscale' })
  assert.equal(width(answer), 240)
  assert.match(server.output(), /it did not answer within 2 s.*the model did not enlarge an image/)
})
