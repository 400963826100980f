import type { FormatName } from '../../image-formats.ts'
import type { Container, MetadataBlocks } from '../blocks.ts'
import { unlessDamaged } from '../damage.ts'
import { parseExif } from '../exif.ts'
import { IPTC_FIELD } from '../exif-tags.ts'
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
export const readBlocks = (file: Buffer, format: FormatName): MetadataBlocks =>
  unlessDamaged(() => withFieldOfIptc(containers[format]?.read(file) ?? {}), {})

/** Formats without a place for IPTC have it in a field of EXIF. */
function withFieldOfIptc(blocks: MetadataBlocks): MetadataBlocks {
  const { exif, iptc } = blocks
  if (!exif || iptc) return blocks
  const field = parseExif(exif)?.image.find(({ tag }) => tag === IPTC_FIELD)
  return field ? { ...blocks, iptc: field.data } : blocks
}
