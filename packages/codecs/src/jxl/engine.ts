import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type Vips from 'wasm-vips'
import { programFile } from '../installation.ts'
import { provideConstants } from './node-constants.ts'

export type Engine = NonNullable<typeof Vips>
export type VipsImage = Vips.Image

const require = createRequire(import.meta.url)

/** An instance, and the memory of WebAssembly that it has. */
interface Opened {
  readonly vips: Engine
  readonly memory: WebAssembly.Memory
}

let engineOpening: Promise<Opened> | undefined
/** The program, which is compiled once. */
let compiledModule: WebAssembly.Module | undefined
/** Threads of the instance, which hold its memory as long as they live. A renderer has no others. */
const threads: Worker[] = []

/**
 * Runs work in libvips with libjxl in WebAssembly, opened at the first JPEG XL of a renderer for 0.2 s of CPU and 70 MB. Its memory
 * grows with the largest picture, up to 2 GB, and never shrinks: `closeEngine` gives it back. After pictures of other sizes it may be
 * in pieces, none of them large enough: what fails in grown memory is done once more in a new instance.
 */
export async function inEngine<Result>(work: (engine: Engine) => Result): Promise<Result> {
  engineOpening ??= start()
  const { vips, memory } = await engineOpening
  const hasGrown = memory.buffer.byteLength > INITIAL_BYTES
  try {
    return work(vips)
  } catch (error) {
    if (!hasGrown) throw error
    await closeEngine()
    engineOpening = start()
    return work((await engineOpening).vips)
  }
}

/** Gives back the memory of the instance; the next JPEG XL opens another. Returns whether there was one. */
export async function closeEngine(): Promise<boolean> {
  const closing = engineOpening
  engineOpening = undefined
  if (!closing) return false
  await closing
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
  return true
}

/** What wasm-vips begins with. */
const INITIAL_BYTES = 256 * 1024 * 1024

async function start(): Promise<Opened> {
  provideConstants()
  const folder = dirname(require.resolve('wasm-vips/vips.wasm'))
  const open = require('wasm-vips') as typeof Vips
  if (!compiledModule) {
    compiledModule = new WebAssembly.Module(readFileSync(join(folder, 'vips.wasm')))
    process.on('worker', (thread) => threads.push(thread))
  }
  const program = compiledModule
  let memory: WebAssembly.Memory | undefined
  letGoOfMemory()
  const vips = await open({
    dynamicLibraries: ['vips-jxl.wasm'],
    locateFile: (file) => join(folder, file),
    mainScriptUrlOrBlob: programFile(import.meta.dirname, 'vips-thread'),
    instantiateWasm(imports, receive) {
      memory = Object.values(imports)
        .flatMap((names) => Object.values(names))
        .find((value) => value instanceof WebAssembly.Memory)
      receive(new WebAssembly.Instance(program, imports), program)
      // It waits for the call above.
      return {}
    },
    // One image uses one core.
    preRun: (module: { ENV: Record<string, string> }) => {
      module.ENV.VIPS_CONCURRENCY = '1'
    },
    // Its warnings about files; errors are thrown.
    print: () => {},
    printErr: () => {},
  })
  if (!memory) throw new Error('wasm-vips has no memory of its own')
  // Results are never requested twice.
  vips.Cache.max(0)
  return { vips, memory }
}

/**
 * The engine would wait for messages of its threads by Atomics.waitAsync, which holds the memory for ever. Without it, threads send
 * their messages by themselves.
 */
function letGoOfMemory(): void {
  Reflect.deleteProperty(Atomics, 'waitAsync')
}

/** Runs work on images, each of which is freed at its end. */
export function withImages<Result>(work: (own: (image: VipsImage) => VipsImage) => Result): Result {
  const ownImages: VipsImage[] = []
  try {
    return work((image) => {
      ownImages.push(image)
      return image
    })
  } finally {
    for (const image of ownImages.reverse()) image.delete()
  }
}
