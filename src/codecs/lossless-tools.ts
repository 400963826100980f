import { createRequire } from 'node:module'

type Binding = Pick<typeof import('@napi-rs/image'), 'compressJpeg' | 'losslessCompressPng'>

const require = createRequire(import.meta.url)
let binding: Binding | undefined | 'not loaded' = 'not loaded'

/** The package is optional: there is none for this platform, or it was left out. Loaded late, as it is large. */
function tools(): Binding | undefined {
  if (binding !== 'not loaded') return binding
  try {
    binding = require('@napi-rs/image') as Binding
  } catch {
    binding = undefined
  }
  return binding
}

/** For tests: as if the package were not installed. */
export function withoutLosslessTools(): void {
  binding = undefined
}

/** A file that they do not read, though libvips does, is left as it is. */
const orNothing = (bytes: Promise<Buffer> | undefined): Promise<Buffer | undefined> =>
  bytes?.catch(() => undefined) ?? Promise.resolve(undefined)

/** The same PNG in fewer bytes, its ancillary chunks kept; undefined without oxipng. `filters` are PngRowFilter, else oxipng's own. */
export const oxipng = (bytes: Buffer, filters?: readonly number[]): Promise<Buffer | undefined> =>
  orNothing(tools()?.losslessCompressPng(bytes, { strip: false, ...(filters && { filter: [...filters] }) }))

/** The coefficients of a JPEG, progressive and with Huffman tables of their own; EXIF and the ICC profile are lost. */
export const repackedJpeg = (bytes: Buffer): Promise<Buffer | undefined> => orNothing(tools()?.compressJpeg(bytes))
