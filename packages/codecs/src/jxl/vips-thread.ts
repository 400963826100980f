import { createRequire } from 'node:module'
import { provideConstants } from './node-constants.ts'

/** The program of libvips' threads: wasm-vips finds out by itself that it runs in one. */
provideConstants()
createRequire(import.meta.url)('wasm-vips')
