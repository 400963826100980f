import { box, fullBox, uint8, uint32 } from '../../src/isobmff/boxes.ts'
import { type Coded, configuration } from './heif.ts'
import { visualEntry } from './visual-entry.ts'

/** Time units per second, and the duration of a frame in them. */
const TIMESCALE = 10
const FRAME = 1
/** The unity matrix of `mvhd` and `tkhd`, in fixed point. */
const unity = uint32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

/** An image sequence without a primary item, as cameras write bursts: a movie whose frames are all intra-coded. */
export function heifSequence(frames: readonly Coded[]): Buffer {
  const [first] = frames
  if (!first) throw new Error('a sequence needs a frame')
  const start = box('ftyp', Buffer.from('hevc\0\0\0\0msf1hevcmif1heic', 'latin1'))
  const movie = (dataAt: number) => box('moov', movieHeader(frames.length), track(first, frames, dataAt))
  const dataAt = start.length + movie(0).length + 8
  return Buffer.concat([start, movie(dataAt), box('mdat', ...frames.map(({ colour }) => colour.data))])
}

const movieHeader = (count: number): Buffer =>
  fullBox('mvhd', 0, 0, uint32(0, 0, TIMESCALE, count * FRAME, 0x1_0000), Buffer.alloc(12), unity, Buffer.alloc(24), uint32(2))

function track(first: Coded, frames: readonly Coded[], dataAt: number): Buffer {
  const duration = frames.length * FRAME
  const size = uint32(first.width << 16, first.height << 16)
  return box(
    'trak',
    fullBox('tkhd', 0, 3, uint32(0, 0, 1, 0, duration), Buffer.alloc(16), unity, size),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, uint32(0, 0, TIMESCALE, duration, 0)),
      fullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      box(
        'minf',
        fullBox('vmhd', 0, 1, Buffer.alloc(8)),
        box('dinf', fullBox('dref', 0, 0, uint32(1), fullBox('url ', 0, 1))),
        samples(first, frames, dataAt),
      ),
    ),
  )
}

/** Offset and duration of each frame: all in one chunk, every one a key frame. */
function samples(first: Coded, frames: readonly Coded[], dataAt: number): Buffer {
  const coding = fullBox('ccst', 0, 0, uint8(0xfc, 0, 0, 0))
  const entry = visualEntry('hvc1', first, configuration(first.colour), coding)
  return box(
    'stbl',
    fullBox('stsd', 0, 0, uint32(1), entry),
    fullBox('stts', 0, 0, uint32(1, frames.length, FRAME)),
    fullBox('stsc', 0, 0, uint32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, 0, uint32(0, frames.length, ...frames.map(({ colour }) => colour.data.length))),
    fullBox('stco', 0, 0, uint32(1, dataAt)),
    fullBox('stss', 0, 0, uint32(frames.length, ...frames.map((_, index) => index + 1))),
  )
}
