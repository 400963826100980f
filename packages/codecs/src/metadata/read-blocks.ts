import type { Codec } from '../codec.ts'
import type { MetadataBlocks } from './blocks.ts'
import { unlessDamaged } from './damage.ts'
import { parseExif } from './exif.ts'
import { IPTC_FIELD } from './exif-tags.ts'

/** The metadata of a file; none where it is damaged. */
export const readBlocks = (file: Buffer, { container }: Pick<Codec, 'container'>): MetadataBlocks =>
  unlessDamaged(() => withFieldOfIptc(container?.read(file) ?? {}), {})

/** Formats without a place for IPTC have it in a field of EXIF. */
function withFieldOfIptc(blocks: MetadataBlocks): MetadataBlocks {
  const { exif, iptc } = blocks
  if (!exif || iptc) return blocks
  const field = parseExif(exif)?.image.find(({ tag }) => tag === IPTC_FIELD)
  return field ? { ...blocks, iptc: field.data } : blocks
}
