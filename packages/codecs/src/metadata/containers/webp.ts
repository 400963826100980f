import type { Container, MetadataBlocks } from '../blocks.ts'

/** RFC 9649: `RIFF`, the size of what follows, `WEBP`; then chunks of type, size and data, padded to an even size. */
const RIFF_BYTES = 12
const HEADER_BYTES = 8
/** Flags of VP8X (RFC 9649, 2.7). */
const flags = { icc: 0x20, alpha: 0x10, exif: 0x08, xmp: 0x04 } as const
/** Some writers put JPEG's name before the TIFF structure. */
const EXIF_NAME = 'Exif\0\0'

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

/** The chunks up to one that is cut. */
export function* chunksIn(file: Buffer): Generator<Chunk> {
  for (let at = RIFF_BYTES; at + HEADER_BYTES <= file.length; ) {
    const size = file.readUInt32LE(at + 4)
    const start = at + HEADER_BYTES
    if (start + size > file.length) return
    yield { type: file.toString('latin1', at, at + 4), data: file.subarray(start, start + size) }
    at = start + size + (size & 1)
  }
}

function read(file: Buffer): MetadataBlocks {
  const byType = new Map<string, Buffer>()
  for (const { type, data } of chunksIn(file)) if (!byType.has(type)) byType.set(type, data)
  const exif = byType.get('EXIF')
  const isNamed = exif?.toString('latin1', 0, EXIF_NAME.length) === EXIF_NAME
  return { exif: isNamed ? exif?.subarray(EXIF_NAME.length) : exif, xmp: byType.get('XMP '), icc: byType.get('ICCP') }
}

function write(
  file: Buffer,
  { exif, xmp, icc }: MetadataBlocks,
  { width, height }: { readonly width: number; readonly height: number },
): Buffer {
  const chunks = [...chunksIn(file)].filter(({ type }) => !(icc && type === 'ICCP') && !(exif && type === 'EXIF'))
  const ownHeader = chunks[0]?.type === 'VP8X' ? chunks.shift() : undefined
  const header = Buffer.from(ownHeader?.data ?? extendedHeader(width, height, isTransparent(chunks[0])))
  header.writeUInt8(header.readUInt8(0) | (icc ? flags.icc : 0) | (exif ? flags.exif : 0) | (xmp ? flags.xmp : 0), 0)
  const body = Buffer.concat([
    chunk('VP8X', header),
    ...(icc ? [chunk('ICCP', icc)] : []),
    ...chunks.map(({ type, data }) => chunk(type, data)),
    ...(exif ? [chunk('EXIF', exif)] : []),
    ...(xmp ? [chunk('XMP ', xmp)] : []),
  ])
  const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  riff.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([riff, body])
}

/** The data of a VP8X chunk: flags, and width and height less one, of 24 bits each. */
function extendedHeader(width: number, height: number, alpha: boolean): Buffer {
  const data = Buffer.alloc(10)
  data.writeUInt8(alpha ? flags.alpha : 0, 0)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return data
}

/** Bit 28 of the header of lossless data (RFC 9649, 3.4) says that alpha is used; lossy data has it in a chunk of its own. */
const isTransparent = (first: Chunk | undefined): boolean =>
  first?.type === 'VP8L' && first.data.length >= 5 && (first.data.readUInt32LE(1) & (1 << 28)) !== 0

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
}

export const webpContainer: Container = { read, write, iptc: false }
