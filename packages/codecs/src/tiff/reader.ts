import { type Bitmap, type DecodeJpeg, type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { decodeLayout, isTurned } from './decode.ts'
import { type Directory, readDirectory } from './directory.ts'
import { compressions, type Layout, layoutOf, photometrics } from './layout.ts'
import { libvipsReads } from './libvips-reads.ts'
import { losslessFrame } from './lossless-jpeg.ts'
import { obstacle } from './obstacle.ts'
import { oldJpegIn } from './old-jpeg.ts'
import { ownReads } from './own-reads.ts'

/** What is decoded: the layout of the file, changed to new-style JPEG when it has one JPEG file per strip. */
interface Opened {
  readonly layout: Layout
  /** A file that contains the whole picture and is decoded instead. */
  readonly embedded?: Buffer
  /** Where its strips or tiles are, if not in the file itself. */
  readonly streams?: Buffer | undefined
}

function open(file: Buffer): Opened {
  const directory = readDirectory(file)
  const layout = directory && layoutOf(directory)
  if (!layout || isCut(directory)) throw new UnreadableError('it is cut, or says nothing of its size')
  if (isSingle(layout) && libvipsReads(asInterleaved(layout))) return { layout, embedded: withoutPlanes(file, directory) }
  const old = layout.compression === compressions.oldJpeg ? oldJpegIn(file, directory, layout) : undefined
  if (old && 'file' in old) return { layout, embedded: old.file }
  const read = old ? old.layout : (losslessLayout(file, layout) ?? layout)
  if (!ownReads(read)) throw new UnreadableError(obstacle(layout))
  return { layout: read, streams: old?.streams }
}

/** Of a file whose strips or tiles are lossless JPEG, which are decoded to 16 bits; undefined for others. */
function losslessLayout(file: Buffer, layout: Layout): Layout | undefined {
  const { compression, offsets, byteCounts, bits, depths } = layout
  const [offset = 0] = offsets
  if (compression !== compressions.jpeg || bits > 16 || depths.some((depth) => depth !== bits)) return undefined
  const frame = losslessFrame(file.subarray(offset, offset + (byteCounts[0] ?? 0)))
  if (!frame) return undefined
  // Some writers say YCbCr of every JPEG with three components.
  const colours = frame.isRgb ? { photometric: photometrics.rgb, subsampling: { across: 1, down: 1 } } : {}
  return { ...layout, ...colours, losslessBits: bits, bits: 16, depths: depths.map(() => 16) }
}

/** A planar file of one sample: libvips decodes it wrongly when the sample is not a whole byte. */
const isSingle = ({ planar, samples }: Layout): boolean => planar && samples === 1
const asInterleaved = (layout: Layout): Layout => ({ ...layout, planar: false })

const hasUnnamedChannels = ({ samples, colours, alpha }: Layout): boolean => samples > colours && alpha === 'none'

const PLANAR_CONFIGURATION = 284

function withoutPlanes(file: Buffer, directory: Directory): Buffer {
  const copy = Buffer.from(file)
  const field = directory.bytes(PLANAR_CONFIGURATION)
  if (field) copy.set(directory.littleEndian ? [1, 0] : [0, 1], field.byteOffset - file.byteOffset)
  return copy
}

async function header(file: Buffer): Promise<PictureHeader> {
  const { layout, embedded } = open(file)
  const { width, height, photometric, orientation } = layout
  const bits = layout.losslessBits ?? layout.bits
  const size = isTurned(orientation) ? { width: height, height: width } : { width, height }
  // The header of the embedded file is used instead.
  if (embedded) return { ...size, alpha: false, grey: false, deep: false, embedded }
  return {
    ...size,
    alpha: layout.alpha !== 'none',
    grey: photometric === photometrics.minIsBlack || photometric === photometrics.minIsWhite,
    deep: bits > 8 && photometric !== photometrics.cmyk,
    bitDepth: bits,
    cmyk: photometric === photometrics.cmyk,
  }
}

async function decode(file: Buffer, decodeJpeg?: DecodeJpeg): Promise<Bitmap> {
  const { layout, streams = file } = open(file)
  return decodeLayout(streams, layout, decodeJpeg)
}

/** Reads depths, number formats and layouts that libvips rejects or decodes wrongly. */
const unusual: Reader = { header, decode }

/** Our reader for a file that libvips cannot read; undefined for libvips, which then also reports damage. */
export function tiffReader(file: Buffer): Reader | undefined {
  const directory = readDirectory(file)
  const layout = directory && layoutOf(directory)
  if (!layout) return undefined
  if (isCut(directory) || !libvipsReads(layout) || isSingle(layout) || losslessLayout(file, layout)) return unusual
  // libvips shows any further channel as alpha.
  return hasUnnamedChannels(layout) && ownReads(layout) ? unusual : undefined
}

/**
 * Fields that say how the pixels are stored, where they are, and what their numbers mean; libtiff would take its defaults for those
 * that are cut.
 */
const OF_PIXELS = [256, 257, 258, 259, 262, 273, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 338, 339, 347, 530] as const

const isCut = (directory: Directory): boolean => OF_PIXELS.some((tag) => directory.isCut(tag))
