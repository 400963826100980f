import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { chunksIn } from '../../png-file.ts'
import type { Container, MetadataBlocks } from '../blocks.ts'

const SIGNATURE_BYTES = 8
/** Length, type and checksum around the data of a chunk. */
const OVERHEAD = 12
/** The keyword of XMP (XMP, part 3, 1.1.5), and what precedes its text: no compression, no language, no translation. */
const XMP_KEYWORD = 'XML:com.adobe.xmp'
/** A profile or a packet that unpacks to more is left out. */
const MOST_UNPACKED = 4 * 1024 * 1024

function read(file: Buffer): MetadataBlocks {
  let blocks: MetadataBlocks = {}
  for (const { type, data } of chunksIn(file)) {
    if (type === 'eXIf') blocks = { ...blocks, exif: data }
    else if (type === 'iCCP') blocks = { ...blocks, icc: profileIn(data) }
    else if (type === 'iTXt') blocks = { ...blocks, xmp: blocks.xmp ?? packetIn(data) }
  }
  return blocks
}

/** PNG, third edition, 11.3.2.3: a name, a zero, the method of compression, and the profile compressed. */
const profileIn = (data: Buffer): Buffer | undefined => unpackText(data.subarray(data.indexOf(0) + 2))

/** PNG, third edition, 11.3.3.4: keyword, whether it is compressed and how, language, translated keyword, text. */
function packetIn(data: Buffer): Buffer | undefined {
  const keyword = data.indexOf(0)
  if (data.toString('latin1', 0, keyword) !== XMP_KEYWORD) return undefined
  const language = data.indexOf(0, keyword + 3)
  const keywordEnd = data.indexOf(0, language + 1)
  if (language < 0 || keywordEnd < 0) return undefined
  const text = data.subarray(keywordEnd + 1)
  return data[keyword + 1] === 0 ? text : unpackText(text)
}

function unpackText(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: MOST_UNPACKED })
  } catch {
    // Damaged, or a bomb: as if it were not there.
    return undefined
  }
}

/** Behind the header: profiles and EXIF have to precede the pixels. */
function write(file: Buffer, { exif, xmp, icc }: MetadataBlocks): Buffer {
  const behindHeader = SIGNATURE_BYTES + OVERHEAD + file.readUInt32BE(SIGNATURE_BYTES)
  // A profile takes the place of what libpng wrote about the colours.
  const goneTypes = [...(icc ? COLOURS : []), ...(exif ? ['eXIf'] : [])]
  const rest = goneTypes.length > 0 ? without(file, behindHeader, goneTypes) : [file.subarray(behindHeader)]
  return Buffer.concat([
    file.subarray(0, behindHeader),
    ...(icc ? pngChunk('iCCP', Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)) : []),
    ...(exif ? pngChunk('eXIf', exif) : []),
    ...(xmp ? pngChunk('iTXt', Buffer.from(`${XMP_KEYWORD}\0\0\0\0\0`, 'latin1'), xmp) : []),
    ...rest,
  ])
}

const COLOURS: readonly string[] = ['iCCP', 'sRGB', 'gAMA', 'cHRM', 'cICP']

const without = (file: Buffer, from: number, goneTypes: readonly string[]): readonly Buffer[] =>
  [...chunksIn(file)]
    .filter(({ type, at }) => at >= from && !goneTypes.includes(type))
    .map(({ data, at }) => file.subarray(at, at + OVERHEAD + data.length))

export function pngChunk(type: string, ...parts: readonly Buffer[]): readonly Buffer[] {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), ...parts])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(data.length - 4)
  checksum.writeUInt32BE(crc32(data))
  return [length, data, checksum]
}

export const pngContainer: Container = { read, write, iptc: false }
