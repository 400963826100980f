import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import initialise, { WasmReader } from '@contentauth/c2pa-wasm'
import { codecs, recognise } from '@pixelmill/codecs'
import { hasManifest } from '@pixelmill/codecs/metadata/manifests'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { readCredential } from '@pixelmill/engine/provenance/credential'
import { startSigner } from '@pixelmill/engine/provenance/signer'
import { type Certificates, makeCertificates, noOpenssl } from '@pixelmill/engine/test/support/certificates'
import { ARCHIVE_LIMITS, MOST_BYTES, sourceOf } from '../../../test/support/archives.ts'
import { getResult, startBatch, untilEnded, zipOf } from '../../../test/support/batch-call.ts'
import { caller, form, read } from '../../../test/support/call.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { inspectArchive } from '../../archives/inspect.ts'
import { readEntry } from '../../archives/read-entry.ts'

/** A server with a certificate for C2PA. */

describe('results of images with a manifest are signed', { skip: noOpenssl }, () => {
  let certificates: Certificates
  let server: Server
  let post: ReturnType<typeof caller>['post']
  let signedBytes: Buffer
  let plain: Buffer
  before(async () => {
    const wasm = createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm')
    await initialise({ module_or_path: readFileSync(wasm) })
    certificates = makeCertificates('es256')
    plain = await photo(320, 240).jpeg({ quality: 95 }).toBuffer()
    const signer = startSigner(readCredential(certificates.certificate, certificates.key))
    const file = { bytes: plain, mime: 'image/jpeg' }
    signedBytes = await signer.sign({ source: file, result: file, actions: [] })
    await signer.close()
    server = await startServer({ C2PA_CERTIFICATE: certificates.certificate, C2PA_PRIVATE_KEY: certificates.key })
    post = caller(server).post
  })
  after(async () => {
    certificates?.[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })

  async function actionsIn(bytes: Buffer): Promise<readonly string[]> {
    const mime = recognise(bytes)?.mime ?? assert.fail()
    const store = JSON.parse((await WasmReader.fromBytes(mime, bytes)).json())
    assert.equal(store.validation_state, 'Valid')
    const { assertions, ingredients } = store.manifests[store.active_manifest]
    assert.equal(ingredients[0].relationship, 'parentOf')
    const foundItems = assertions.filter(({ label }: { label: string }) => label.startsWith('c2pa.actions'))
    return foundItems.flatMap(({ data }: { data: { actions: { action: string }[] } }) => data.actions.map(({ action }) => action))
  }

  for (const [operation, fields, actions] of [
    ['convert', { format: 'webp' }, []],
    ['convert', { format: 'avif', rotate: 90, grayscale: true }, ['c2pa.orientation', 'c2pa.adjustedColor']],
    ['resize', { width: 100, height: 80 }, ['c2pa.resized']],
    ['crop', { x: 0, y: 0, width: 50, height: 50 }, ['c2pa.cropped']],
  ] as const)
    test(`${operation} ${JSON.stringify(fields)}`, async () => {
      const { status, headers, bytes } = await post(operation, fields, { image: signedBytes })
      assert.deepEqual([status, headers.get('x-content-credentials')], [200, 'signed'])
      assert.equal(headers.get('x-output-size'), String(bytes.length))
      assert.deepEqual(await actionsIn(bytes), ['c2pa.opened', ...actions, 'c2pa.transcoded'])
    })

  test('several outputs of a recipe, and images of a batch', async () => {
    const recipe = {
      outputs: [
        { name: 'a', format: 'webp' },
        { name: 'b', format: 'jpeg', steps: [{ flip: {} }] },
      ],
    }
    const body = form({ recipe: JSON.stringify(recipe) }, { image: signedBytes })
    const headers = { authorization: `Bearer ${server.key}` }
    const answer = await read(await fetch(`${server.url}/api/v3/images`, { method: 'POST', body, headers }))
    assert.equal(answer.status, 200, answer.error?.message ?? '')
    const { batch } = await startBatch(server, zipOf({ 'a.jpg': signedBytes, 'b.jpg': plain }), { format: 'webp' })
    await untilEnded(server, batch.id)
    const result = Buffer.from(await (await getResult(server, batch.id)).arrayBuffer())
    for (const [zip, expected] of [
      [
        answer.bytes,
        [
          ['c2pa.opened', 'c2pa.transcoded'],
          ['c2pa.opened', 'c2pa.orientation', 'c2pa.transcoded'],
        ],
      ],
      [result, [['c2pa.opened', 'c2pa.transcoded'], undefined]],
    ] as const) {
      const source = sourceOf(zip)
      const [, ...images] = await inspectArchive(source, ARCHIVE_LIMITS)
      const files = await Promise.all(images.map(async (entry) => Buffer.concat(await readEntry(source, entry, MOST_BYTES))))
      const foundTexts = await Promise.all(
        files.map((file) => (hasManifest(file, recognise(file) ?? codecs.jpeg) ? actionsIn(file) : undefined)),
      )
      assert.deepEqual(foundTexts, expected)
    }
  })

  test('a file without a manifest gets none', async () => {
    const { headers, bytes } = await post('convert', { format: 'jpeg' }, { image: plain })
    assert.deepEqual([headers.get('x-content-credentials'), hasManifest(bytes, codecs.jpeg)], [null, false])
  })

  test('what would exceed the bytes that were asked for is not signed', async () => {
    const { headers, bytes } = await post('convert', { format: 'jpeg', maxBytes: 9_000 }, { image: signedBytes })
    assert.equal(headers.get('x-content-credentials'), 'removed')
    assert.ok(bytes.length <= 9_000)
    assert.equal(hasManifest(bytes, codecs.jpeg), false)
  })

  test('optimize is never larger', async () => {
    const { headers, bytes } = await post('optimize', {}, { image: signedBytes })
    assert.match(headers.get('x-content-credentials') ?? '', /^(signed|removed)$/)
    assert.ok(bytes.length <= signedBytes.length)
  })
})

test('a server with a key that is not the certificate’s does not start', { skip: noOpenssl }, async () => {
  using one = makeCertificates('es256')
  using other = makeCertificates('es256')
  await assert.rejects(
    startServer({ C2PA_CERTIFICATE: one.certificate, C2PA_PRIVATE_KEY: other.key }),
    /C2PA_PRIVATE_KEY is not the key/,
  )
})
