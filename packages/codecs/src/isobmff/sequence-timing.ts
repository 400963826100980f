import type { Timing } from '../codec.ts'
import { boxesIn, fileBoxesIn } from './boxes.ts'

/** Tables of a track have fewer entries in any real sequence. */
const MOST_ENTRIES = 10_000

/** The frames of the first track of pictures (ISO/IEC 23008-12, 7); undefined where there is one or none. */
export function sequenceTiming(file: Buffer): Timing | undefined {
  try {
    const movie = [...boxesIn(file), ...fileBoxesIn(file)].find(({ type }) => type === 'moov')?.body
    const tracks = movie ? boxesIn(movie).filter(({ type }) => type === 'trak') : []
    for (const { body } of tracks) {
      const media = inside(body, 'mdia')
      const timing = PICTURES.includes(inside(media, 'hdlr').toString('latin1', 8, 12)) ? timingOf(media) : undefined
      if (timing) return timing
    }
    return undefined
  } catch (error) {
    // A number that lies outside its box.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Handlers of tracks (ISO/IEC 23008-12, 7.2.1). */
const PICTURES: readonly string[] = ['pict', 'vide']

/** The media header has the units a second (ISO/IEC 14496-12, 8.4.2), and a table how many samples take how many (8.6.1.2). */
function timingOf(media: Buffer): Timing | undefined {
  const header = inside(media, 'mdhd')
  const unitsASecond = header.readUInt32BE(header.readUInt8(0) === 0 ? 12 : 20)
  const table = inside(inside(inside(media, 'minf'), 'stbl'), 'stts')
  let frames = 0
  let units = 0
  const entries = Math.min(table.readUInt32BE(4), MOST_ENTRIES)
  for (let at = 8; at < 8 + entries * 8; at += 8) {
    const count = table.readUInt32BE(at)
    frames += count
    units += count * table.readUInt32BE(at + 4)
  }
  return frames > 1 ? { frames, durationMs: unitsASecond > 0 ? Math.round((units / unitsASecond) * 1_000) : 0 } : undefined
}

const inside = (bytes: Buffer, type: string): Buffer => boxesIn(bytes).find((one) => one.type === type)?.body ?? Buffer.alloc(0)
