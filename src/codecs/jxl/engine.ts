import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Vips from 'wasm-vips'
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

/**
 * Runs work in libvips with libjxl in WebAssembly, opened at the first JPEG XL of a renderer for 0.2 s of CPU and 70 MB. Its memory
 * grows with the largest picture, up to 2 GB, and never shrinks: the pool replaces a renderer that has grown. After pictures of other
 * sizes it may be in pieces, none of them large enough: what fails in grown memory is done once more in a new instance.
 */
export async function inEngine<Result>(work: (engine: Engine) => Result): Promise<Result> {
  opened ??= start()
  const { vips, memory } = await opened
  const hasGrown = memory.buffer.byteLength > INITIAL_BYTES
  try {
    return work(vips)
  } catch (error) {
    if (!hasGrown) throw error
    opened = start()
    return work((await opened).vips)
  }
}

/** What wasm-vips begins with. */
const INITIAL_BYTES = 256 * 1024 * 1024

async function start(): Promise<Opened> {
  provideConstants()
  const folder = dirname(require.resolve('wasm-vips/vips.wasm'))
  const open = require('wasm-vips') as typeof Vips
  const compiled = new WebAssembly.Module(readFileSync(join(folder, 'vips.wasm')))
  let memory: WebAssembly.Memory | undefined
  const vips = await open({
    dynamicLibraries: ['vips-jxl.wasm'],
    locateFile: (file) => join(folder, file),
    mainScriptUrlOrBlob: join(import.meta.dirname, 'thread.ts'),
    instantiateWasm(imports, received) {
      memory = Object.values(imports)
        .flatMap((names) => Object.values(names))
        .find((value) => value instanceof WebAssembly.Memory)
      received(new WebAssembly.Instance(compiled, imports), compiled)
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
