import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import { type CodedPair, readCodedPair } from './coded-pair.ts'

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

const require = createRequire(import.meta.url)
let script: Script | undefined

/** Node cannot import the package's entry point, but can run its script. */
function load(): Script {
  const text = readFileSync(require.resolve('elheif/pkg/elheif-wasm.js'), 'utf8')
  runInThisContext(text)
  const { __init__ELHEIF_MODULE: start } = globalThis as unknown as { __init__ELHEIF_MODULE: Script['start'] }
  return { start, compiled: new WebAssembly.Module(embeddedBinary(text)) }
}

const DATA_URI = 'data:application/octet-stream;base64,'
/** How every WebAssembly begins in Base64: a zero, and `asm`. */
const MAGIC = 'AGFzbQ'

/** The WebAssembly that the script carries as a text: compiled once, and not for each picture as the script would. */
function embeddedBinary(text: string): Buffer<ArrayBuffer> {
  const start = text.indexOf(`${DATA_URI}${MAGIC}`)
  const quote = text.charAt(start - 1)
  const end = text.indexOf(quote, start)
  if (start < 1 || end < 0) throw new Error('the script of elheif carries no WebAssembly')
  return Buffer.from(text.slice(start + DATA_URI.length, end), 'base64')
}

/** A HEVC encoder for the tiles of one image; its memory is freed with it. */
export interface Encoder {
  encode(rgba: Uint8Array, width: number, height: number): CodedPair
}

/** libheif with kvazaar in WebAssembly, of a fixed quality; loaded when the first HEIC is written. */
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
      const answer = module.jsEncodeImage?.(rgba, width, height)
      if (answer?.err !== '') throw new Error(`elheif: ${answer?.err}`)
      return readCodedPair(Buffer.from(answer.data))
    },
  }
}
