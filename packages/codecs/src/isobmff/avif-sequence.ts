import { type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { av1SequenceIn } from './av1-sequence.ts'
import { type Box, box, boxesIn, fileBoxesIn, fullBox, uint8 } from './boxes.ts'
import { composeItems, extent, type Item } from './compose-items.ts'
import { primaryItemOf } from './items.ts'

/** The first picture of a track. */
interface Frame {
  readonly width: number
  readonly height: number
  /** The body of its `av1C` box. */
  readonly configuration: Buffer
  readonly colour: Box | undefined
  readonly data: Buffer
}

const ALPHA = fullBox('auxC', 0, 0, Buffer.from('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'latin1'))
const BRANDS = 'avif\0\0\0\0avifmif1miaf'
/** Properties of the still picture that also apply to the sequence: orientation, aperture, and colours unless the track has its own. */
const SHARED: readonly string[] = ['colr', 'irot', 'imir', 'clap']

/**
 * AVIF image sequences (AV1-AVIF, section 3), which libvips cannot open. The first frame of the first track, which depends on no
 * other, and that of its alpha are copied into a still AVIF.
 */
export const avifSequenceReader: Reader = {
  async header(file): Promise<PictureHeader> {
    const frame = firstFrameOf(file)
    return { width: 0, height: 0, alpha: false, grey: false, deep: false, embedded: frame }
  },
  async decode() {
    throw new Error('an embedded file is to be decoded in place of the one around it')
  },
}

/** An AVIF with the first frame of a sequence. Throws UnreadableError. */
function firstFrameOf(file: Buffer): Buffer {
  const tracks = tracksIn(file)
  const picture = tracks.find(({ handler }) => handler === 'pict' || handler === 'vide')?.frame
  const alpha = tracks.find(({ handler }) => handler === 'auxv')?.frame
  const sharedBoxes = (primaryItemOf(file)?.properties ?? []).filter(({ type }) => SHARED.includes(type))
  if (picture) return still(picture, alpha, sharedBoxes)
  if (!primaryItemOf(file)) throw new UnreadableError('it is an AVIF image sequence without a picture that AV1 coded')
  // Most sequences also have a still picture, which libvips opens under the brand `avif`.
  const copy = Buffer.from(file)
  copy.write('avif', 8, 'latin1')
  return copy
}

function still(picture: Frame, alpha: Frame | undefined, sharedBoxes: readonly Box[]): Buffer {
  const own = sharedBoxes.filter(({ type }) => type !== 'colr' || !picture.colour)
  const properties = [...(picture.colour ? [picture.colour] : []), ...own].map(({ type, body }) => box(type, body))
  const items = [itemOf(picture, properties, 3), ...(alpha ? [{ ...itemOf(alpha, [ALPHA], 1), alphaOf: 1 }] : [])]
  return composeItems(BRANDS, items, 1)
}

function itemOf({ width, height, configuration, data }: Frame, more: readonly Buffer[], channels: number): Item {
  const flags = configuration.readUInt8(2)
  const bits = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12
  const isGrey = (flags & 0x10) !== 0
  const depth = fullBox('pixi', 0, 0, uint8(isGrey ? 1 : channels, ...new Array<number>(isGrey ? 1 : channels).fill(bits)))
  const properties = [extent(width, height), depth, box('av1C', configuration), ...more]
  return { type: 'av01', hidden: false, properties, data }
}

interface Track {
  readonly handler: string
  readonly frame: Frame | undefined
}

function tracksIn(file: Buffer): readonly Track[] {
  const movie = [...boxesIn(file), ...fileBoxesIn(file)].find(({ type }) => type === 'moov')
  return boxesIn(movie?.body ?? Buffer.alloc(0))
    .filter(({ type }) => type === 'trak')
    .map(({ body }) => {
      const media = inside(body, 'mdia')
      const handler = media && inside(media, 'hdlr')?.toString('latin1', 8, 12)
      const table = media && inside(inside(media, 'minf') ?? Buffer.alloc(0), 'stbl')
      return { handler: handler ?? '', frame: table && frameIn(file, table) }
    })
}

const inside = (bytes: Buffer, type: string): Buffer | undefined => boxesIn(bytes).find((one) => one.type === type)?.body

/** Bytes of a visual sample entry before its boxes, and the offsets of its size (ISO/IEC 14496-12, 12.1.3). */
const ENTRY_BYTES = 78
const WIDTH_AT = 24
const HEIGHT_AT = 26

/** The first sample of a table, by its entries for descriptions, sizes and places; undefined where AV1 did not code it. */
function frameIn(file: Buffer, table: Buffer): Frame | undefined {
  try {
    const entry = boxesIn((inside(table, 'stsd') ?? Buffer.alloc(0)).subarray(8)).find(({ type }) => type === 'av01')?.body
    const sizes = inside(table, 'stsz')
    const places = inside(table, 'stco')
    const farPlaces = inside(table, 'co64')
    if (!entry || !sizes || !(places ?? farPlaces)) return undefined
    const boxes = boxesIn(entry.subarray(ENTRY_BYTES))
    const configuration = boxes.find(({ type }) => type === 'av1C')?.body
    const size = sizes.readUInt32BE(4) || sizes.readUInt32BE(12)
    const at = places ? places.readUInt32BE(8) : Number(farPlaces?.readBigUInt64BE(8))
    const sample = file.subarray(at, at + size)
    if (!configuration || configuration.length < 4 || sample.length < size) return undefined
    // The sequence header may be only in the description.
    const data = av1SequenceIn(sample) ? sample : Buffer.concat([configuration.subarray(4), sample])
    const colour = boxes.find(({ type }) => type === 'colr')
    return { width: entry.readUInt16BE(WIDTH_AT), height: entry.readUInt16BE(HEIGHT_AT), configuration, colour, data }
  } catch (error) {
    // A number that lies outside its box.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
