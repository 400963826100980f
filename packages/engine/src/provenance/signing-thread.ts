import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import initialise, { WasmBuilder } from '@contentauth/c2pa-wasm'
import { imageFormats } from '@pixelmill/codecs/image-formats'
import { withBoxes } from '@pixelmill/codecs/jxl/boxes'
import type { Action } from '../recipe/step.ts'
import { VERSION } from '../version.ts'
import { signatureBytes, signClaim } from './cose.ts'
import type { Credential } from './credential.ts'

/** A file to sign, and the one that it was made of. */
export interface SigningOrder {
  readonly source: MediaFile
  readonly result: MediaFile
  readonly actions: readonly Action[]
}

export interface MediaFile {
  readonly bytes: Uint8Array
  readonly mime: string
}

export type SigningAnswer = { readonly signed: Uint8Array } | { readonly error: string }

/** The program of the thread: c2pa-rs in WebAssembly, since it reads manifests from outside and hashes whole files. */
async function sign({ source, result, actions }: SigningOrder, credential: Credential): Promise<Uint8Array> {
  const definition = { claim_generator_info: [{ name: 'Pixelmill', version: VERSION }], title: 'image', format: result.mime }
  const builder = WasmBuilder.fromJson(JSON.stringify(definition), JSON.stringify(settings))
  try {
    // Adds the action c2pa.opened, with the ingredient.
    builder.setIntent('edit')
    const ingredient = JSON.stringify({ title: 'original', relationship: 'parentOf' })
    await builder.addIngredientFromBlob(ingredient, source.mime, new BytesBlob(source.bytes))
    for (const action of actions) builder.addAction(action)
    const signer = {
      alg: credential.algorithm.c2pa,
      reserveSize: signatureBytes(credential),
      sign: async (claim: Uint8Array) => new Uint8Array(signClaim(claim, credential)),
    }
    return await builder.sign(signer, [], result.mime, new BytesBlob(inContainer(result)))
  } finally {
    builder.free()
  }
}

/** A JPEG XL codestream alone has no place for a manifest. */
const inContainer = ({ bytes, mime }: MediaFile): Uint8Array =>
  mime === imageFormats.jxl.mime ? withBoxes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), []) : bytes

/** No request is made, and no picture added. Whether the certificate is trusted is for those who verify. */
const settings = {
  builder: { thumbnail: { enabled: false } },
  verify: { verify_after_sign: false, verify_trust: false, ocsp_fetch: false, remote_manifest_fetch: false },
}

/** Bytes that can be read at once, as the library reads what a browser's worker gives it. */
class BytesBlob extends Blob {
  readonly content: Uint8Array

  constructor(content: Uint8Array) {
    super()
    this.content = content
  }
  override get size(): number {
    return this.content.length
  }
  override slice(start = 0, end = this.content.length): BytesBlob {
    return new BytesBlob(this.content.subarray(start, end))
  }
}

/** Node has none (W3C File API, 6.4.3). */
class BytesReader {
  readAsArrayBuffer({ content }: BytesBlob): ArrayBufferLike {
    return new Uint8Array(content).buffer
  }
}

Object.assign(globalThis, { FileReaderSync: BytesReader })
const wasm = createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm')
const ready = initialise({ module_or_path: readFileSync(wasm) })
const { credential } = workerData as { readonly credential: Credential }

// One message at a time comes: see signer.ts.
parentPort?.on('message', async (order: SigningOrder) => {
  const answer = await ready
    .then(() => sign(order, credential))
    .then(
      (file): SigningAnswer => ({ signed: file }),
      (error: unknown): SigningAnswer => ({ error: error instanceof Error ? error.message : String(error) }),
    )
  parentPort?.postMessage(answer)
})
