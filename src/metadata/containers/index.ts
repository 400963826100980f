import type { FormatName } from '../../web/image-formats.ts'
import type { Container, MetadataBlocks } from '../blocks.ts'
import { isobmffContainer } from './isobmff.ts'
import { jpegContainer } from './jpeg.ts'
import { jxlContainer } from './jxl.ts'
import { pngContainer } from './png.ts'
import { tiffContainer } from './tiff.ts'
import { webpContainer } from './webp.ts'

/** Formats that are missing have no metadata here: a GIF's comments and a BMP's profile are not read. */
export const containers: { readonly [Name in FormatName]?: Container } = {
  jpeg: jpegContainer,
  png: pngContainer,
  webp: webpContainer,
  tiff: tiffContainer,
  avif: isobmffContainer,
  heic: isobmffContainer,
  jxl: jxlContainer,
}

/** The metadata of a file; none where it is damaged. */
export function readBlocks(file: Buffer, format: FormatName): MetadataBlocks {
  try {
    return containers[format]?.read(file) ?? {}
  } catch (error) {
    // A number that lies outside of its block.
    if (error instanceof RangeError) return {}
    throw error
  }
}
