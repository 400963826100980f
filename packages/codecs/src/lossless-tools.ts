import { createRequire } from 'node:module'

/** For oxipng, whose files no search with Node's zlib comes near, and for JPEG's coefficients: docs/design/encoders.md has the figures. */
type Binding = Pick<typeof import('@napi-rs/image'), 'compressJpeg' | 'losslessCompressPng'>

const require = createRequire(import.meta.url)
let binding: Binding | undefined | 'not loaded' = 'not loaded'

/** The package is optional: it may not exist for this platform, or not be installed. Loaded on first use, because it is large. */
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

/** A file that only libvips can read is left unchanged. */
const orNothing = (bytes: Promise<Buffer> | undefined): Promise<Buffer | undefined> =>
  bytes?.catch(() => undefined) ?? Promise.resolve(undefined)

/** The same PNG in fewer bytes, its ancillary chunks kept; undefined without oxipng. `filters` are PngRowFilter, else oxipng's own. */
export const oxipng = (bytes: Buffer, filters?: readonly number[]): Promise<Buffer | undefined> =>
  orNothing(tools()?.losslessCompressPng(bytes, { strip: false, ...(filters && { filter: [...filters] }) }))

/** The coefficients of a JPEG, progressive and with Huffman tables of their own; EXIF and the ICC profile are lost. */
export const repackedJpeg = (bytes: Buffer): Promise<Buffer | undefined> => orNothing(tools()?.compressJpeg(bytes))
