import { constants } from 'node:fs'

/**
 * wasm-vips asks Node for the numbers of open()'s flags by `process.binding`, which is deprecated and which a renderer's permissions
 * refuse. Answers these public numbers instead, and nothing else.
 */
export function provideConstants(): void {
  Object.assign(process, { binding: () => ({ fs: constants }) })
}
