import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The compiled kernels; in browsers `kernel-bytes.browser.ts` takes the place of this file. */
export const kernelBytes = (): Uint8Array<ArrayBuffer> => readFileSync(join(import.meta.dirname, 'kernels.wasm'))
