import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Vips from 'wasm-vips'
import { provideConstants } from './node-constants.ts'

export type Engine = NonNullable<typeof Vips>
export type VipsImage = Vips.Image

const require = createRequire(import.meta.url)
let engine: Promise<Engine> | undefined

/**
 * libvips with libjxl in WebAssembly, opened at the first JPEG XL of a renderer for 0.2 s of CPU and 70 MB. Its memory grows with
 * the largest picture and never shrinks: the pool replaces a renderer that has grown.
 */
export function openEngine(): Promise<Engine> {
  engine ??= start()
  return engine
}

async function start(): Promise<Engine> {
  provideConstants()
  const folder = dirname(require.resolve('wasm-vips/vips.wasm'))
  const open = require('wasm-vips') as typeof Vips
  const vips = await open({
    dynamicLibraries: ['vips-jxl.wasm'],
    locateFile: (file) => join(folder, file),
    mainScriptUrlOrBlob: join(import.meta.dirname, 'thread.ts'),
    // One image uses one core.
    preRun: (module: { ENV: Record<string, string> }) => {
      module.ENV.VIPS_CONCURRENCY = '1'
    },
    // Its warnings about files; errors are thrown.
    print: () => {},
    printErr: () => {},
  })
  // Results are never requested twice.
  vips.Cache.max(0)
  return vips
}

/**
 * Runs work that needs a large part of the memory. After pictures of other sizes that may be in pieces, at worst none of them large
 * enough: what fails is done once more in a new instance. The old one's memory comes back with the renderer's end.
 */
export async function inRoomyEngine<Result>(work: (engine: Engine) => Result): Promise<Result> {
  const isNew = engine === undefined
  try {
    return work(await openEngine())
  } catch (error) {
    if (isNew) throw error
    engine = undefined
    return work(await openEngine())
  }
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
