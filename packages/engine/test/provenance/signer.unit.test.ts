import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import initialise, { WasmReader } from '@contentauth/c2pa-wasm'
import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { everyFormat, photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { actionsOf } from '../../src/provenance/actions.ts'
import { readCredential } from '../../src/provenance/credential.ts'
import { type Signer, startSigner } from '../../src/provenance/signer.ts'
import { steps } from '../../src/recipe/steps/index.ts'
import { keyKinds, makeCertificates, noOpenssl } from '../support/certificates.ts'
import { hdrJpeg, mapOf, values } from '../support/gain-maps.ts'
import { readable } from '../support/readable.ts'

/** Manifests that we sign, read by the library of those who made the standard. */

const wasm = createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm')
await initialise({ module_or_path: readFileSync(wasm) })

interface Store {
  readonly active_manifest: string
  readonly validation_state: string
  readonly validation_status?: readonly { readonly code: string }[]
  readonly manifests: Readonly<Record<string, Manifest>>
}
interface Manifest {
  readonly claim_generator_info: readonly { readonly name: string }[]
  readonly ingredients: readonly { readonly relationship: string; readonly active_manifest?: string }[]
  readonly assertions: readonly {
    readonly label: string
    readonly data: { readonly actions?: readonly { readonly action: string }[] }
  }[]
}

async function storeOf(bytes: Uint8Array, mime: string): Promise<Store> {
  const reader = await WasmReader.fromBytes(mime, bytes)
  return JSON.parse(reader.json())
}

const actionsIn = ({ assertions }: Manifest) =>
  assertions
    .flatMap(({ label, data }) => (label.startsWith('c2pa.actions') ? (data.actions ?? []) : []))
    .map(({ action }) => action)

/** No list of trusted certificates has the test's root. */
const UNTRUSTED = ['signingCredential.untrusted']

async function signing(kind: keyof typeof keyKinds, use: (signer: Signer) => Promise<void>): Promise<void> {
  using certificates = makeCertificates(kind)
  const signer = startSigner(readCredential(certificates.certificate, certificates.key))
  await use(signer).finally(() => signer.close())
}

const jpeg = await photo().jpeg().toBuffer()
const source = { bytes: jpeg, mime: 'image/jpeg' }

describe('a signed file', { skip: noOpenssl }, () => {
  for (const kind of Object.keys(keyKinds) as (keyof typeof keyKinds)[])
    test(`${kind}: is valid, and has its source as ingredient`, () =>
      signing(kind, async (signer) => {
        const first = await signer.sign({ source, result: source, actions: [{ action: 'c2pa.cropped' }] })
        const result = { bytes: await photo(60, 40).jpeg().toBuffer(), mime: 'image/jpeg' }
        const second = await signer.sign({
          source: { bytes: first, mime: 'image/jpeg' },
          result,
          actions: [{ action: 'c2pa.resized' }, { action: 'c2pa.transcoded' }],
        })
        const store = await storeOf(second, 'image/jpeg')
        assert.equal(store.validation_state, 'Valid')
        assert.deepEqual([...new Set(store.validation_status?.map(({ code }) => code))], UNTRUSTED)
        const active = store.manifests[store.active_manifest] ?? assert.fail()
        assert.equal(active.claim_generator_info[0]?.name, 'Pixelmill')
        assert.deepEqual(actionsIn(active), ['c2pa.opened', 'c2pa.resized', 'c2pa.transcoded'])
        const [ingredient] = active.ingredients
        assert.equal(ingredient?.relationship, 'parentOf')
        const parent = store.manifests[ingredient?.active_manifest ?? ''] ?? assert.fail('its manifest is kept')
        assert.deepEqual(actionsIn(parent), ['c2pa.opened', 'c2pa.cropped'])
      }))

  test('a change of one byte is noticed', () =>
    signing('es256', async (signer) => {
      const signedFile = await signer.sign({ source, result: source, actions: [] })
      const last = signedFile.length - 100
      signedFile[last] = (signedFile[last] ?? 0) ^ 1
      assert.equal((await storeOf(signedFile, 'image/jpeg')).validation_state, 'Invalid')
    }))

  test('every format that has manifests gets one, and the same pixels', () =>
    signing('es256', async (signer) => {
      const formats = await everyFormat()
      for (const codec of Object.values<Codec>(codecs).filter(({ name, isManifestIn }) => isManifestIn && formats[name])) {
        const result = { bytes: formats[codec.name] ?? assert.fail(), mime: codec.mime }
        const signedFile = await signer.sign({ source, result, actions: [] })
        assert.equal((await storeOf(signedFile, codec.mime)).validation_state, 'Valid', codec.name)
        if (codec.name === 'heic') continue
        const [before, after] = await Promise.all(
          [result.bytes, signedFile].map(async (bytes) =>
            sharp(await readable(bytes))
              .raw()
              .toBuffer(),
          ),
        )
        assert.ok(before && after?.equals(before), codec.name)
      }
    }))

  test('an HDR photograph keeps its gain map', () =>
    signing('es256', async (signer) => {
      const signedFile = await signer.sign({ source, result: { bytes: await hdrJpeg(), mime: 'image/jpeg' }, actions: [] })
      assert.equal((await storeOf(signedFile, 'image/jpeg')).validation_state, 'Valid')
      const map = await mapOf(signedFile)
      assert.deepEqual([map.values.capacityMax, map.width], [values.capacityMax, 120])
    }))

  test('what is no image is refused, and the next one is signed', () =>
    signing('es256', async (signer) => {
      const nonsense = { bytes: Buffer.from('nonsense'), mime: 'image/jpeg' }
      const [refusal, success] = await Promise.allSettled([
        signer.sign({ source, result: nonsense, actions: [] }),
        signer.sign({ source, result: source, actions: [] }),
      ])
      assert.deepEqual([refusal.status, success.status], ['rejected', 'fulfilled'])
    }))
})

describe('certificates that cannot be used', { skip: noOpenssl }, () => {
  using one = makeCertificates('es256')
  using other = makeCertificates('es256')
  const refusals = [
    ['a file that is not there', () => readCredential('/nowhere.pem', one.key), /C2PA_CERTIFICATE cannot be read: ENOENT/],
    ['a key in place of a certificate', () => readCredential(one.key, one.key), /C2PA_CERTIFICATE must be a PEM file/],
    [
      'a certificate in place of a key',
      () => readCredential(one.certificate, one.certificate),
      /C2PA_PRIVATE_KEY must be a PEM file/,
    ],
    [
      'the key of another certificate',
      () => readCredential(one.certificate, other.key),
      /is not the key of the first certificate/,
    ],
  ] as const
  const outcomes = refusals.map(([, read]) => {
    try {
      read()
      return 'accepted'
    } catch (error) {
      return String(error)
    }
  })
  for (const [index, [name, , expected]] of refusals.entries()) test(name, () => assert.match(outcomes[index] ?? '', expected))
})

test('every step has its action', () => {
  for (const name of Object.keys(steps)) {
    const recipe = { steps: [{ [name]: {} }], outputs: [{ steps: [] }] }
    const actions = actionsOf('recipe', { recipe }, 0) ?? assert.fail(name)
    assert.deepEqual([actions.length, actions[1]?.action], [2, 'c2pa.transcoded'])
    assert.match(actions[0]?.action ?? '', /^c2pa\./)
  }
})
