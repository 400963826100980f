import type { Completed } from './codec.ts'
import { behindEnd, next } from './jpeg-segments.ts'

/** Markers (ITU-T T.81, table B.1); the frame headers are those from SOF0 to SOF15, which are not the three others in between. */
const [SOF0, SOF15, NO_FRAMES, EOI, SOS] = [0xc0, 0xcf, [0xc4, 0xc8, 0xcc], 0xd9, 0xda] as const
const SOI_BYTES = 2
const END = Buffer.from([0xff, EOI])

/** A JPEG with the EOI marker that it lacks; undefined where it has one, or has no scan. */
export function completedJpeg(bytes: Buffer): Completed | undefined {
  if (bytes.subarray(-END.length).equals(END)) return undefined
  const scan = markerAt(bytes, (code) => code === SOS)
  if (scan === undefined || behindEnd(bytes, scan) !== undefined) return undefined
  return { file: Buffer.concat([bytes, END]), warning: 'missing_end' }
}

/** Where the first marker of a kind is, up to the first scan. */
function markerAt(bytes: Buffer, isSought: (code: number) => boolean): number | undefined {
  for (let at = SOI_BYTES; at + 4 <= bytes.length; at = next(bytes, at)) {
    const code = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0
    if (isSought(code)) return at
    if (code === SOS) return undefined
  }
  return undefined
}

const isFrame = (code: number): boolean => code >= SOF0 && code <= SOF15 && !NO_FRAMES.some((other) => other === code)

/** Offsets in a frame header, from its marker, and the bytes of a component (T.81, B.2.2). */
const LENGTH_AT = 2
const COUNT_AT = 9
const COMPONENTS_AT = 10
const COMPONENT_BYTES = 3

/**
 * The JPEG with components for which there is no scan. libjpeg then reads all scans before the first row, as of a progressive file, so
 * that libvips, which looks for warnings before each row, sees that of the last rows too. Of no use for its colours.
 */
export function withAbsentComponents(jpeg: Buffer): Buffer {
  const at = markerAt(jpeg, isFrame)
  const count = at === undefined ? 0 : (jpeg[at + COUNT_AT] ?? 0)
  const end = (at ?? 0) + COMPONENTS_AT + count * COMPONENT_BYTES
  if (at === undefined || count === 0 || end > jpeg.length) return jpeg
  const ids = Array.from({ length: count }, (_, index) => jpeg[at + COMPONENTS_AT + index * COMPONENT_BYTES])
  const freeIds = [251, 252, 253, 254, 255].filter((id) => !ids.includes(id))
  // One component would become two, of which libvips makes no picture.
  const newComponents = freeIds.slice(0, count === 1 ? 2 : 1).map((id) => Buffer.from([id, 0x11, jpeg[end - 1] ?? 0]))
  const header = Buffer.from(jpeg.subarray(0, end))
  header.writeUInt16BE(header.readUInt16BE(at + LENGTH_AT) + newComponents.length * COMPONENT_BYTES, at + LENGTH_AT)
  header.writeUInt8(count + newComponents.length, at + COUNT_AT)
  return Buffer.concat([header, ...newComponents, jpeg.subarray(end)])
}
