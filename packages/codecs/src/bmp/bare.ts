import {
  ALPHA_BITFIELDS,
  BITFIELDS,
  CORE_HEADER_BYTES,
  FILE_HEADER_BYTES,
  INFO_HEADER_BYTES,
  OS2_HEADER_BYTES,
  V3_HEADER_BYTES,
  V4_HEADER_BYTES,
  V5_HEADER_BYTES,
} from './layout.ts'

/** Lengths of info headers that programs write; 52 has masks without alpha. */
const LENGTHS: readonly number[] = [
  CORE_HEADER_BYTES,
  INFO_HEADER_BYTES,
  52,
  V3_HEADER_BYTES,
  OS2_HEADER_BYTES,
  V4_HEADER_BYTES,
  V5_HEADER_BYTES,
]
const DEPTHS: readonly number[] = [1, 2, 4, 8, 16, 24, 32]
const HIGHEST_COMPRESSION = ALPHA_BITFIELDS

/** The fields of an info header that say where the pixels are. */
function fieldsOf(head: Buffer) {
  const length = head.length < CORE_HEADER_BYTES ? 0 : head.readUInt32LE(0)
  const isCore = length === CORE_HEADER_BYTES
  if (head.length < (isCore ? CORE_HEADER_BYTES : INFO_HEADER_BYTES)) return undefined
  const [planes, bits] = isCore ? [head.readUInt16LE(8), head.readUInt16LE(10)] : [head.readUInt16LE(12), head.readUInt16LE(14)]
  const [width, height] = isCore ? [head.readUInt16LE(4), head.readUInt16LE(6)] : [head.readInt32LE(4), head.readInt32LE(8)]
  const [compression, colours] = isCore ? [0, 0] : [head.readUInt32LE(16), head.readUInt32LE(32)]
  return { length, planes, bits, width, height, compression, colours, isCore }
}

/**
 * Whether a file is a bitmap without a file header, as `.dib` files of the clipboard and of ImageMagick are: it has no signature, so all
 * that its info header says must be possible.
 */
export function isBareDib(head: Buffer): boolean {
  const fields = fieldsOf(head)
  if (!fields) return false
  const { length, planes, bits, width, height, compression, colours } = fields
  return (
    LENGTHS.includes(length) &&
    planes === 1 &&
    DEPTHS.includes(bits) &&
    width > 0 &&
    height !== 0 &&
    compression <= HIGHEST_COMPRESSION &&
    colours <= 256
  )
}

/** The bitmap with the file header that it lacks; a whole BMP as it is. */
export function withFileHeader(file: Buffer): Buffer {
  const fields = isBareDib(file) ? fieldsOf(file) : undefined
  if (!fields) return file
  const { length, bits, compression, colours, isCore } = fields
  const hasMasks = length === INFO_HEADER_BYTES && (bits === 16 || bits === 32)
  const masks = hasMasks ? ({ [BITFIELDS]: 12, [ALPHA_BITFIELDS]: 16 }[compression] ?? 0) : 0
  const entries = colours > 0 || bits > 8 ? colours : 2 ** bits
  const header = Buffer.alloc(FILE_HEADER_BYTES)
  header.write('BM', 'latin1')
  header.writeUInt32LE(FILE_HEADER_BYTES + file.length, 2)
  header.writeUInt32LE(FILE_HEADER_BYTES + length + masks + entries * (isCore ? 3 : 4), 10)
  return Buffer.concat([header, file])
}
