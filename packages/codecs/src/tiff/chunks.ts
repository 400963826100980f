import { endianness } from 'node:os'
import { type DecodeJpeg, type JpegComponents, UnreadableError } from '../reader.ts'
import { blockBytes, enlargedPlane, pixelsOfBlocks } from './colours.ts'
import { decompressors, undoPredictor } from './decompress.ts'
import { compressions, type Layout, photometrics } from './layout.ts'
import { decodeLossless } from './lossless-jpeg.ts'

const IS_LITTLE_ENDIAN = endianness() === 'LE'

/** A decompressed strip or tile, and its position. */
export interface Chunk {
  readonly plane: number
  readonly x: number
  readonly y: number
  /** Rows one after the other. */
  readonly data: Uint8Array
  /** How many of its rows are inside the picture: there are at least as many. */
  readonly rows: number
}

/** Samples of one pixel that are stored together. */
export const stride = ({ planar, samples }: Layout): number => (planar ? 1 : samples)

/** Bytes of one row of a chunk; each row begins on a byte. */
export const rowBytes = (layout: Layout): number => Math.ceil((layout.chunk.width * stride(layout) * layout.bits) / 8)

/** The number of a strip or tile, and how many of its rows are inside the picture. */
interface Place {
  readonly index: number
  readonly plane: number
  readonly inside: number
}

/**
 * All chunks in the order of the file.
 * @throws UnreadableError when data are missing or damaged
 */
export async function* chunksOf(file: Buffer, layout: Layout, decodeJpeg?: DecodeJpeg): AsyncGenerator<Chunk> {
  const { width, height, chunk, planar, samples } = layout
  const bytes = rowBytes(layout)
  let index = 0
  for (let plane = 0; plane < (planar ? samples : 1); plane++)
    for (let y = 0; y < height; y += chunk.height)
      for (let x = 0; x < width; x += chunk.width, index++) {
        const inside = Math.min(chunk.height, height - y)
        const data = await unpackChunk(file, layout, { index, plane, inside }, decodeJpeg)
        if (data.length < bytes * inside) throw new UnreadableError('it ends before its pixels do')
        yield { plane, x, y, data, rows: inside }
      }
}

/** A chunk's rows with interleaved samples, decompressed, the predictor undone and chroma at full size. */
async function unpackChunk(file: Buffer, layout: Layout, place: Place, decodeJpeg?: DecodeJpeg): Promise<Uint8Array> {
  const { offsets, byteCounts, compression, chunk } = layout
  const offset = offsets[place.index] ?? 0
  const byteCount = byteCounts[place.index] ?? 0
  const packedBytes = file.subarray(offset, offset + byteCount)
  if (layout.losslessBits !== undefined) return unpackLossless(packedBytes, layout, layout.losslessBits)
  if (compression === compressions.jpeg) return unpackJpeg(packedBytes, layout, place.inside, decodeJpeg)
  const bytes = rowBytes(layout)
  if (hasBlocks(layout)) {
    // Rows of blocks may end with the picture; the last strip may also be as tall as the others.
    const data = unpack(packedBytes, layout, blockBytes(layout, chunk.height))
    undoAll(data, layout, predictedRowBytes(layout))
    if (data.length < blockBytes(layout, place.inside)) throw new UnreadableError('it ends before its pixels do')
    return pixelsOfBlocks(data, layout, place.inside)
  }
  // The last strip may be as tall as the others.
  const data = unpack(packedBytes, layout, bytes * chunk.height)
  const small = smallPlane(layout, place, data.length)
  undoAll(data, layout, small ? small.width * (layout.bits / 8) : bytes)
  return small ? enlargedPlane(data, layout, place.inside, small.width) : data
}

/** Whether Y, Cb and Cr of several pixels are stored in blocks (TIFF 6.0, section 21). */
export const hasBlocks = ({ planar, photometric, subsampling: { across, down } }: Layout): boolean =>
  !planar && photometric === photometrics.yCbCr && across * down > 1

/** The row length with which libtiff undoes the predictor over blocks. */
export function predictedRowBytes(layout: Layout): number {
  const { tiled, subsampling } = layout
  return tiled ? rowBytes(layout) : Math.floor(blockBytes(layout, subsampling.down) / subsampling.down)
}

/** The width of a subsampled chroma plane; undefined when it has full size, as some writers store it. */
function smallPlane({ photometric, subsampling, chunk, tiled, bits }: Layout, { plane, inside }: Place, length: number) {
  const { across, down } = subsampling
  if (photometric !== photometrics.yCbCr || plane < 1 || plane > 2 || across * down === 1) return undefined
  if (length >= chunk.width * (tiled ? chunk.height : inside) * (bits / 8)) return undefined
  const width = Math.ceil(chunk.width / across)
  const height = Math.ceil(inside / down)
  if (length < width * height * (bits / 8)) throw new UnreadableError('it ends before its pixels do')
  return { width }
}

function undoAll(data: Uint8Array, layout: Layout, bytes: number): void {
  if (layout.predictor === 1) return
  for (let at = 0; at + bytes <= data.length; at += bytes) undoPredictor(data.subarray(at, at + bytes), layout, stride(layout))
}

function unpack(data: Buffer, { compression, reversedBits }: Layout, bytes: number): Uint8Array {
  const packedBytes = reversedBits ? data.map((byte) => reversedBytes[byte] as number) : data
  try {
    const data = decompressors[compression]?.(packedBytes, bytes) ?? packedBytes
    // Parts of a plain array are taken in a fraction of the time that parts of a Buffer take.
    return new Uint8Array(data.buffer, data.byteOffset, data.length)
  } catch (cause) {
    throw new UnreadableError('its compressed pixels are damaged', { cause })
  }
}

/** Each byte with its bits in the other order. */
const reversedBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  let mirror = 0
  for (let bit = 0; bit < 8; bit++) mirror |= ((byte >> bit) & 1) << (7 - bit)
  return mirror
})

const SOI = 0xd8
const EOI = 0xd9

/** An Adobe marker with transform 0: the components are not converted. */
const UNTRANSFORMED = Buffer.from('ffee000e41646f626500640000000000', 'hex')

/**
 * Decodes a strip or tile of JPEG (TIFF Technical Note 2) to rows of interleaved samples, chroma at full size.
 * @throws UnreadableError
 */
async function unpackJpeg(jpeg: Buffer, layout: Layout, inside: number, decode?: DecodeJpeg): Promise<Uint8Array> {
  if (!decode) throw new Error('nothing decodes JPEG here')
  const picture = await decode(wholeJpeg(jpeg, layout)).catch((cause: unknown) => {
    throw new UnreadableError('the JPEG data inside are damaged, or of a kind that is not supported', { cause })
  })
  const channelCount = layout.planar ? 1 : layout.samples
  if (picture.channels !== channelCount) throw new UnreadableError('the JPEG data inside have other channels than it says')
  return placeComponents(picture, layout, inside)
}

/** A strip or tile of lossless JPEG as 16-bit samples. Some writers, as of DNG, code two pixels as one of twice the components. */
function unpackLossless(jpeg: Buffer, layout: Layout, bits: number): Uint8Array {
  const line = layout.chunk.width * stride(layout)
  const { width, height, components, samples } = decodeLossless(withTables(jpeg, layout), line * layout.chunk.height)
  if (width * components !== line) throw new UnreadableError('the JPEG data inside have another size than it says')
  const factor = 65_535 / (2 ** bits - 1)
  const wideSamples = new Uint16Array(line * height)
  // What is stored of it is the nearest whole number.
  for (let at = 0; at < samples.length; at++) wideSamples[at] = Math.min(65_535, (samples[at] as number) * factor + 0.5)
  const bytes = Buffer.from(wideSamples.buffer)
  return layout.littleEndian === IS_LITTLE_ENDIAN ? bytes : bytes.swap16()
}

/** The stream with the shared tables, and for three components with a marker that prevents colour conversion. */
function wholeJpeg(jpeg: Buffer, { jpegTables, planar, samples }: Layout): Buffer {
  if (jpeg.readUInt16BE(0) !== 0xff00 + SOI) throw new UnreadableError('the JPEG data inside are damaged')
  const start = jpeg.subarray(0, 2)
  const raw = planar || samples !== 3 ? [] : [UNTRANSFORMED]
  return Buffer.concat([start, ...raw, ...(jpegTables ? [tablesIn(jpegTables)] : []), jpeg.subarray(2)])
}

/** The stream with the shared tables. */
function withTables(jpeg: Buffer, { jpegTables }: Layout): Buffer {
  return jpegTables ? Buffer.concat([jpeg.subarray(0, 2), tablesIn(jpegTables), jpeg.subarray(2)]) : jpeg
}

/** The content between the SOI and EOI markers of a table stream. */
function tablesIn(stream: Buffer): Buffer {
  const hasEnd = stream.length >= 4 && stream.readUInt16BE(stream.length - 2) === 0xff00 + EOI
  return stream.subarray(2, hasEnd ? stream.length - 2 : stream.length)
}

/** The rows in the width of the chunk. A chroma plane may be smaller, by the file's subsampling. */
function placeComponents({ data, width, height, channels }: JpegComponents, layout: Layout, inside: number): Uint8Array {
  const { chunk, subsampling, photometric } = layout
  const isFull = width >= Math.min(chunk.width, layout.width) && height >= inside
  const { across, down } = isFull || photometric !== photometrics.yCbCr ? { across: 1, down: 1 } : subsampling
  const size = { width: Math.ceil(Math.min(chunk.width, layout.width) / across), height: Math.ceil(inside / down) }
  if (width < size.width || height < size.height) throw new UnreadableError('it ends before its pixels do')
  const out = new Uint8Array(chunk.width * inside * channels)
  const columns = Int32Array.from(
    { length: chunk.width },
    (_, column) => Math.min(width - 1, Math.floor(column / across)) * channels,
  )
  for (let row = 0, to = 0; row < inside; row++) {
    const line = Math.floor(row / down) * width * channels
    for (let column = 0; column < columns.length; column++)
      for (let channel = 0, from = line + (columns[column] as number); channel < channels; channel++, from++)
        out[to++] = data[from] as number
  }
  return out
}
