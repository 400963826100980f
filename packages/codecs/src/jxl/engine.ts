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

let opened: Promise<Opened> | undefined
/** The program, which is compiled once. */
let compiled: WebAssembly.Module | undefined
/** Threads of the instance, which hold its memory as long as they live. A renderer has no others. */
const threads: Worker[] = []

/**
 * Runs work in libvips with libjxl in WebAssembly, opened at the first JPEG XL of a renderer for 0.2 s of CPU and 70 MB. Its memory
 * grows with the largest picture, up to 2 GB, and never shrinks: `closeEngine` gives it back. After pictures of other sizes it may be
 * in pieces, none of them large enough: what fails in grown memory is done once more in a new instance.
 */
export async function inEngine<Result>(work: (engine: Engine) => Result): Promise<Result> {
  opened ??= start()
  const { vips, memory } = await opened
  const hasGrown = memory.buffer.byteLength > INITIAL_BYTES
  try {
    return work(vips)
  } catch (error) {
    if (!hasGrown) throw error
    await closeEngine()
    opened = start()
    return work((await opened).vips)
  }
}

/** Gives back the memory of the instance; the next JPEG XL opens another. Returns whether there was one. */
export async function closeEngine(): Promise<boolean> {
  const closed = opened
  opened = undefined
  if (!closed) return false
  await closed
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
  return true
}

/** What wasm-vips begins with. */
const INITIAL_BYTES = 256 * 1024 * 1024

async function start(): Promise<Opened> {
  provideConstants()
  const folder = dirname(require.resolve('wasm-vips/vips.wasm'))
  const open = require('wasm-vips') as typeof Vips
  if (!compiled) {
    compiled = new WebAssembly.Module(readFileSync(join(folder, 'vips.wasm')))
    process.on('worker', (thread) => threads.push(thread))
  }
  const program = compiled
  let memory: WebAssembly.Memory | undefined
  letGoOfMemory()
  const vips = await open({
    dynamicLibraries: ['vips-jxl.wasm'],
    locateFile: (file) => join(folder, file),
    mainScriptUrlOrBlob: programFile(import.meta.dirname, 'vips-thread'),
    instantiateWasm(imports, received) {
      memory = Object.values(imports)
        .flatMap((names) => Object.values(names))
        .find((value) => value instanceof WebAssembly.Memory)
      received(new WebAssembly.Instance(program, imports), program)
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
  const owned: VipsImage[] = []
  try {
    return work((image) => {
      owned.push(image)
      return image
    })
  } finally {
    for (const image of owned.reverse()) image.delete()
  }
}
