import { type Box, boxesIn, type FileBox, fileBoxesIn } from './boxes.ts'
import { placesOfMetadata } from './items.ts'

/** Boxes of a movie and of its tracks that describe it: text of users, XMP, a place (ISO/IEC 14496-12, 8.10; QuickTime File Format). */
const DESCRIBING: readonly string[] = ['udta', 'meta', 'uuid']
const CONTAINERS: readonly string[] = ['moov', 'trak']

/**
 * The file with its metadata overwritten by zeros, so that no other offset changes: boxes become free space (ISO/IEC 14496-12, 8.1.2),
 * and items stay, without contents.
 */
export function blankMetadata(file: Buffer): Buffer {
  const boxes = fileBoxesIn(file)
  const blank = [...boxes.filter(({ type }) => type === 'uuid'), ...boxes.flatMap((one) => describing(file, one))]
  const items = placesOfMetadata(file)
  if (blank.length + items.length === 0) return file
  const copy = Buffer.from(file)
  const fill = (bytes: Buffer) =>
    copy.fill(0, bytes.byteOffset - file.byteOffset, bytes.byteOffset - file.byteOffset + bytes.length)
  for (const { header, body } of blank) {
    copy.write('free', header.byteOffset - file.byteOffset + 4, 'latin1')
    fill(body)
  }
  items.forEach(fill)
  return copy
}

function describing(file: Buffer, one: Box): readonly FileBox[] {
  if (!CONTAINERS.includes(one.type)) return []
  return boxesIn(one.body).flatMap((inside) => {
    const start = inside.body.byteOffset - file.byteOffset
    const whole = { ...inside, header: file.subarray(start - HEADER_BYTES, start) }
    return DESCRIBING.includes(inside.type) ? [whole] : describing(file, inside)
  })
}

const HEADER_BYTES = 8
