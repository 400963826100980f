import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import { type CodedPair, codedPair } from './coded-picture.ts'

interface Module {
  /** Pixels as RGBA, 8 bits, alpha not premultiplied. */
  jsEncodeImage(pixels: Uint8Array, width: number, height: number): { readonly err: string; readonly data: Uint8Array }
  onRuntimeInitialized?(): void
  instantiateWasm?(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
}

interface Script {
  /** Fills the module given to it with the functions of elheif. */
  readonly start: (module: Partial<Module>) => void
  readonly compiled: WebAssembly.Module
}

const DATA_URI = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/

const require = createRequire(import.meta.url)
let script: Script | undefined

/** The package's own entry point cannot be imported by Node; its script can be run, and holds its WebAssembly as text. */
function load(): Script {
  const text = readFileSync(require.resolve('elheif/pkg/elheif-wasm.js'), 'utf8')
  const [, base64 = ''] = DATA_URI.exec(text) ?? []
  runInThisContext(text)
  const { __init__ELHEIF_MODULE: start } = globalThis as unknown as { __init__ELHEIF_MODULE: Script['start'] }
  return { start, compiled: new WebAssembly.Module(Buffer.from(base64, 'base64')) }
}

/** A HEVC encoder for the tiles of one image; its memory goes with it. */
export interface Encoder {
  encode(rgba: Uint8Array, width: number, height: number): CodedPair
}

/** libheif with kvazaar in WebAssembly, loaded at the first HEIC to be written. Its quality is fixed. */
export async function openElheif(): Promise<Encoder> {
  script ??= load()
  const { start, compiled } = script
  const module: Partial<Module> = {
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(compiled, imports)
      receive(instance)
      return instance.exports
    },
  }
  await new Promise<void>((resolve) => {
    module.onRuntimeInitialized = resolve
    start(module)
  })
  return {
    encode(rgba, width, height) {
      const written = module.jsEncodeImage?.(rgba, width, height)
      if (written?.err !== '') throw new Error(`elheif: ${written?.err}`)
      return codedPair(Buffer.from(written.data))
    },
  }
}
