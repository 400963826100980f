import { readDirectory } from '../../tiff/directory.ts'
import type { Container, MetadataBlocks } from '../blocks.ts'
import { type ExifField, parseExif, serialiseDirectories } from '../exif.ts'

/** Tags of XMP (XMP, part 3, 1.1.6), IPTC and ICC profiles, and the types of their bytes. */
const tags = { xmp: 700, iptc: 33_723, icc: 34_675 } as const
const BYTE = 1
const UNDEFINED = 7
const CLASSIC = 42

/** The file itself is the TIFF structure of its EXIF fields. */
function read(file: Buffer): MetadataBlocks {
  const directory = readDirectory(file)
  return { exif: file, xmp: directory?.bytes(tags.xmp), iptc: directory?.bytes(tags.iptc), icc: directory?.bytes(tags.icc) }
}

/** Writes the first directory again behind the file, with the fields added. A BigTIFF is left as it is. */
function write(file: Buffer, blocks: MetadataBlocks): Buffer {
  const own = parseExif(file)
  const littleEndian = file.toString('latin1', 0, 2) === 'II'
  const magic = littleEndian ? file.readUInt16LE(2) : file.readUInt16BE(2)
  if (!own || magic !== CLASSIC) return file
  const newFields = blocks.exif && parseExif(blocks.exif)
  const inOrder = (fields: readonly ExifField[] = []) =>
    newFields?.littleEndian === littleEndian ? fields : fields.map(swapBytes)
  const packets = [
    bytesField(tags.xmp, BYTE, blocks.xmp),
    bytesField(tags.iptc, UNDEFINED, blocks.iptc),
    bytesField(tags.icc, UNDEFINED, blocks.icc),
  ]
  const fresh = [...inOrder(newFields?.image), ...packets.flat()]
  const image = [...own.image.filter(({ tag }) => !fresh.some((one) => one.tag === tag)), ...fresh]
  const padding = Buffer.alloc(file.length & 1)
  const at = file.length + padding.length
  const next = nextDirectory(file, littleEndian)
  const directories = serialiseDirectories(
    { littleEndian, image, photo: inOrder(newFields?.photo), place: inOrder(newFields?.place) },
    at,
    next,
  )
  const result = Buffer.concat([file, padding, directories])
  if (littleEndian) result.writeUInt32LE(at, 4)
  else result.writeUInt32BE(at, 4)
  return result
}

const bytesField = (tag: number, type: number, data: Buffer | undefined): readonly ExifField[] =>
  data ? [{ tag, type, count: data.length, data }] : []

/** The position of the second page's directory; 0 where there is none. */
function nextDirectory(file: Buffer, littleEndian: boolean): number {
  const uint = (at: number, bytes: number) => (littleEndian ? file.readUIntLE(at, bytes) : file.readUIntBE(at, bytes))
  const first = uint(4, 4)
  return uint(first + 2 + uint(first, 2) * 12, 4)
}

/** Bytes of one number by type: a fraction has two numbers. */
const NUMBER_BYTES: Readonly<Record<number, 2 | 4 | 8>> = { 3: 2, 4: 4, 5: 4, 8: 2, 9: 4, 10: 4, 11: 4, 12: 8, 13: 4 }

/** The field in the other order of bytes. */
function swapBytes(field: ExifField): ExifField {
  const bytes = NUMBER_BYTES[field.type]
  if (!bytes) return field
  const data = Buffer.from(field.data)
  return { ...field, data: bytes === 2 ? data.swap16() : bytes === 4 ? data.swap32() : data.swap64() }
}

export const tiffContainer: Container = { read, write, iptc: true }
