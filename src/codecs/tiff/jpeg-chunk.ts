import { type DecodeJpeg, type JpegComponents, UnreadableError } from '../reader.ts'
import { type Layout, photometrics } from './layout.ts'

const [SOI, EOI] = [0xd8, 0xd9]

/** An Adobe marker that says: the components are not to be converted (its last byte, the transform, is 0). */
const UNTRANSFORMED = Buffer.from('ffee000e41646f626500640000000000', 'hex')

/**
 * A strip or tile of JPEG (TIFF Technical Note 2) as rows of samples that stand side by side, chroma in full size.
 * @throws UnreadableError
 */
export async function unpackJpeg(packed: Buffer, layout: Layout, inside: number, decode?: DecodeJpeg): Promise<Uint8Array> {
  if (!decode) throw new Error('nothing decodes JPEG here')
  const picture = await decode(wholeJpeg(packed, layout)).catch((cause: unknown) => {
    throw new UnreadableError('the JPEG data inside are damaged, or of a kind that is not supported', { cause })
  })
  const wanted = layout.planar ? 1 : layout.samples
  if (picture.channels !== wanted) throw new UnreadableError('the JPEG data inside have other channels than it says')
  return placed(picture, layout, inside)
}

/** The stream with the tables that it shares with others, and a note where its three components are to stay as they are. */
function wholeJpeg(packed: Buffer, { jpegTables, planar, samples }: Layout): Buffer {
  if (packed.readUInt16BE(0) !== 0xff00 + SOI) throw new UnreadableError('the JPEG data inside are damaged')
  const start = packed.subarray(0, 2)
  const raw = planar || samples !== 3 ? [] : [UNTRANSFORMED]
  return Buffer.concat([start, ...raw, ...(jpegTables ? [tablesIn(jpegTables)] : []), packed.subarray(2)])
}

/** What stands between the first and the last marker of a stream of tables. */
function tablesIn(stream: Buffer): Buffer {
  const hasEnd = stream.length >= 4 && stream.readUInt16BE(stream.length - 2) === 0xff00 + EOI
  return stream.subarray(2, hasEnd ? stream.length - 2 : stream.length)
}

/** The rows in the width of the chunk. A plane of chroma may be smaller, by as much as the file says. */
function placed({ data, width, height, channels }: JpegComponents, layout: Layout, inside: number): Uint8Array {
  const { chunk, subsampling, photometric } = layout
  const isFull = width >= Math.min(chunk.width, layout.width) && height >= inside
  const { across, down } = isFull || photometric !== photometrics.yCbCr ? { across: 1, down: 1 } : subsampling
  const needed = { width: Math.ceil(Math.min(chunk.width, layout.width) / across), height: Math.ceil(inside / down) }
  if (width < needed.width || height < needed.height) throw new UnreadableError('it ends before its pixels do')
  const out = new Uint8Array(chunk.width * inside * channels)
  for (let row = 0; row < inside; row++)
    for (let column = 0; column < chunk.width; column++) {
      const from = (Math.floor(row / down) * width + Math.min(width - 1, Math.floor(column / across))) * channels
      const to = (row * chunk.width + column) * channels
      for (let channel = 0; channel < channels; channel++) out[to + channel] = data[from + channel] ?? 0
    }
  return out
}
