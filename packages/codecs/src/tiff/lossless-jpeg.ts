import { UnreadableError } from '../reader.ts'

/** Markers of JPEG (ITU-T T.81, table B.1): SOF3 is a lossless frame with Huffman codes. */
const marker = {
  sof0: 0xc0,
  sof3: 0xc3,
  dht: 0xc4,
  sof15: 0xcf,
  rst0: 0xd0,
  rst7: 0xd7,
  soi: 0xd8,
  sos: 0xda,
  dri: 0xdd,
} as const
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc]

/** Samples of all components of a pixel beside each other, in rows; as many bits as the frame has. */
export interface LosslessPicture {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly samples: Uint16Array
}

/** The first frame of a JPEG, if it is lossless, which libjpeg does not read. */
export function losslessFrame(jpeg: Buffer): { readonly isRgb: boolean } | undefined {
  const isFrame = ({ code }: Segment) => code >= marker.sof0 && code <= marker.sof15 && !NO_FRAMES.includes(code)
  const frame = segmentsOf(jpeg).find(isFrame)
  if (frame?.code !== marker.sof3 || frame.body.length < 6) return undefined
  const names = Array.from({ length: frame.body[5] ?? 0 }, (_, index) => frame.body[6 + index * 3] ?? 0)
  return { isRgb: String.fromCharCode(...names) === 'RGB' }
}

/**
 * Decodes the lossless process of ITU-T T.81, annex H: each sample is the difference to a prediction from those to the left and above.
 * @throws UnreadableError for damage, and for components of different sizes or in scans of their own
 */
export function decodeLossless(jpeg: Buffer, mostSamples: number): LosslessPicture {
  const segments = segmentsOf(jpeg)
  const find = (segmentCode: number) => segments.find(({ code }) => code === segmentCode)?.body
  const frame = find(marker.sof3)
  const scan = find(marker.sos)
  if (!frame || !scan || frame.length < 9 || scan.length < 6) throw damageError()
  const precision = frame[0] ?? 0
  const height = frame.readUInt16BE(1)
  const width = frame.readUInt16BE(3)
  const components = frame[5] ?? 0
  const isWhole = scan[0] === components && components > 0 && frame.length === 6 + components * 3
  if (!isWhole || width * height * components > mostSamples || scan.length !== 4 + components * 2) throw damageError()
  for (let at = 7; at < frame.length; at += 3) if (frame[at] !== frame[7]) throw damageError()
  const tables = huffmanTables(segments)
  const scanTables = Array.from({ length: components }, (_, index) => tables.get((scan[2 + index * 2] ?? 0) >> 4) ?? damage())
  const predictor = scan[scan.length - 3] ?? 0
  const shift = (scan[scan.length - 1] ?? 0) & 15
  if (predictor < 1 || predictor > 7 || precision < 2 || precision > 16 || shift >= precision) throw damageError()
  const interval = find(marker.dri)?.readUInt16BE(0) ?? 0
  const intervalRows = interval === 0 ? height : interval / width
  // A prediction needs the row above from its start.
  if (!Number.isInteger(intervalRows) || intervalRows === 0) throw damageError()
  const samples = new Uint16Array(width * height * components)
  const start = 1 << (precision - shift - 1)
  const parts = intervalsOf(jpeg, scanEnd(jpeg))
  for (let row = 0, part = 0; row < height; row += intervalRows, part++) {
    const rows = { from: row, to: Math.min(height, row + intervalRows), width, components }
    decodeRows(samples, rows, parts[part] ?? damage(), scanTables, predictor, start)
  }
  if (shift > 0) for (let at = 0; at < samples.length; at++) samples[at] = (samples[at] as number) << shift
  return { width, height, components, samples }
}

interface Rows {
  readonly from: number
  readonly to: number
  readonly width: number
  readonly components: number
}

/** Bits are read from the highest of a byte on; after the end there are ones. */
function decodeRows(
  samples: Uint16Array,
  { from, to, width, components }: Rows,
  bytes: Uint8Array,
  tables: readonly Uint16Array[],
  predictor: number,
  start: number,
): void {
  const line = width * components
  const mostBits = bytes.length * 8
  let bit = 0
  for (let row = from; row < to; row++) {
    const isFirstRow = row === from
    for (let at = 0, place = row * line, component = 0; at < line; at++, place++) {
      const code = (tables[component] as Uint16Array)[bitsAt(bytes, bit)] as number
      component = component + 1 === components ? 0 : component + 1
      if (code === 0) throw damageError()
      bit += code >> 8
      const count = code & 255
      const difference = count === 0 ? 0 : count === 16 ? 32_768 : differenceOf(bitsAt(bytes, bit) >> (16 - count), count)
      if (count < 16) bit += count
      if (bit > mostBits) throw new UnreadableError('it ends before its pixels do')
      let prediction: number
      if (at < components) prediction = isFirstRow ? start : (samples[place - line] as number)
      else if (isFirstRow) prediction = samples[place - components] as number
      else
        prediction = predictionOf(
          predictor,
          samples[place - components] as number,
          samples[place - line] as number,
          samples[place - line - components] as number,
        )
      samples[place] = prediction + difference
    }
  }
}

/** The 16 bits from a place on. */
function bitsAt(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3
  const three =
    at + 2 < bytes.length
      ? ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number)
      : ((bytes[at] ?? 255) << 16) | ((bytes[at + 1] ?? 255) << 8) | (bytes[at + 2] ?? 255)
  return (three >> (8 - (bit & 7))) & 0xffff
}

/** A code says how many bits of a difference follow; those that begin with 0 are negative (T.81, H.1.2.2). */
const differenceOf = (value: number, count: number): number => (value < 1 << (count - 1) ? value - (1 << count) + 1 : value)

/** T.81, table H.1: from the samples to the left, above, and above to the left. */
function predictionOf(predictor: number, left: number, above: number, corner: number): number {
  switch (predictor) {
    case 1:
      return left
    case 2:
      return above
    case 3:
      return corner
    case 4:
      return left + above - corner
    case 5:
      return left + ((above - corner) >> 1)
    case 6:
      return above + ((left - corner) >> 1)
    default:
      return (left + above) >> 1
  }
}

interface Segment {
  readonly code: number
  readonly body: Buffer
  readonly end: number
}

/** The marker segments up to that of the scan. */
function segmentsOf(jpeg: Buffer): readonly Segment[] {
  const segments: Segment[] = []
  for (let at = 0; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const code = jpeg[at + 1] ?? 0
    const end = code === marker.soi ? at + 2 : code === 0xff ? at + 1 : at + 2 + jpeg.readUInt16BE(at + 2)
    if (code !== marker.soi && code !== 0xff) segments.push({ code, body: jpeg.subarray(at + 4, end), end })
    if (code === marker.sos || end <= at) break
    at = end
  }
  return segments
}

const scanEnd = (jpeg: Buffer): number => segmentsOf(jpeg).at(-1)?.end ?? jpeg.length

/** By their numbers: for each 16 bits the length of the code that they begin with, and its symbol; 0 where there is none. */
function huffmanTables(segments: readonly Segment[]): ReadonlyMap<number, Uint16Array> {
  const tables = new Map<number, Uint16Array>()
  for (const { body } of segments.filter(({ code }) => code === marker.dht))
    for (let at = 0; at + 17 <= body.length; ) {
      const counts = body.subarray(at + 1, at + 17)
      const table = new Uint16Array(65_536)
      let code = 0
      let symbol = at + 17
      for (const [index, count] of counts.entries()) {
        const length = index + 1
        for (let left = count; left > 0; left--, code += 1 << (16 - length))
          table.fill((length << 8) | (body[symbol++] ?? 0), code, code + (1 << (16 - length)))
      }
      tables.set((body[at] ?? 0) & 15, table)
      at = symbol
    }
  return tables
}

/** The coded data between restart markers, without the zeros that follow 0xff. */
function intervalsOf(jpeg: Buffer, start: number): readonly Uint8Array[] {
  const parts: Uint8Array[] = []
  const part = new Uint8Array(jpeg.length - start)
  let length = 0
  for (let at = start; at < jpeg.length; ) {
    const escapeAt = jpeg.indexOf(0xff, at)
    const end = escapeAt < 0 ? jpeg.length : escapeAt
    part.set(jpeg.subarray(at, end), length)
    length += end - at
    if (escapeAt < 0) break
    const next = jpeg[escapeAt + 1] ?? 0
    at = next === 0xff ? escapeAt + 1 : escapeAt + 2
    if (next === 0) part[length++] = 0xff
    else if (next >= marker.rst0 && next <= marker.rst7) {
      parts.push(part.slice(0, length))
      length = 0
    } else if (next !== 0xff) break
  }
  parts.push(part.slice(0, length))
  return parts
}

const damageError = () => new UnreadableError('the lossless JPEG data inside are damaged, or of a kind that is not supported')
function damage(): never {
  throw damageError()
}
