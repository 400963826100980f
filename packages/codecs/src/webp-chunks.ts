import type { Completed } from './codec.ts'
import { limits } from './contract/limits.ts'
import type { WarningName } from './contract/warnings.ts'
import { orientationOf, orientationOnly } from './exif.ts'

/** The kind of a WebP file (RFC 9649). */
export interface WebpKind {
  /** The first frame's VP8 data; undefined where it is lossless. */
  readonly vp8: Buffer | undefined
  readonly animated: boolean
}

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const FRAME_HEADER_BYTES = 16

/** Reads up to the first chunk with pixel data; undefined when there is none. */
export function webpKindOf(bytes: Buffer): WebpKind | undefined {
  let isAnimated = false
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'VP8L' || type === 'VP8 ') {
      return { vp8: type === 'VP8 ' ? bytes.subarray(at + CHUNK_HEADER_BYTES) : undefined, animated: isAnimated }
    }
    const size = bytes.readUInt32LE(at + 4)
    // The chunks of a frame are inside ANMF, after its position and duration.
    if (type === 'ANMF') isAnimated = true
    at += CHUNK_HEADER_BYTES + (type === 'ANMF' ? FRAME_HEADER_BYTES : size + (size & 1))
  }
  return undefined
}

const { frames: MOST_FRAMES, structure } = limits

/**
 * The limit that a WebP exceeds: frames, since libwebp walks their list from its start for each (100,000 take 11 s),
 * or chunks.
 */
export function webpExcess(bytes: Buffer): string | undefined {
  let frames = 0
  let parts = 0
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const isFrame = bytes.toString('latin1', at, at + 4) === 'ANMF'
    if (isFrame && ++frames > MOST_FRAMES) return `${MOST_FRAMES} frames`
    // Each frame has at most three chunks: its header, alpha and colours.
    if (!isFrame && ++parts > structure.parts) return `${structure.parts} chunks`
    const size = bytes.readUInt32LE(at + 4)
    at += CHUNK_HEADER_BYTES + (isFrame ? FRAME_HEADER_BYTES : size + (size & 1))
  }
  return undefined
}

/** The offset of a frame's duration in its chunk (RFC 9649, 2.7.1.1): 24 bits. */
const DURATION_AT = 12
const DURATION_BYTES = 3
const MOST_DURATION = 2 ** 24 - 1
/** Like browsers, libvips replaces delays of up to 10 ms by 100 ms. */
const SHORTEST = 10
const INSTEAD = 100

/** Replaces the delays given to libvips by `durations`, in milliseconds; the encoder may have merged equal frames. */
export function withDurations(file: Buffer, acceptedDelays: readonly number[], durations: readonly number[]): Buffer {
  const bytes = Buffer.from(file)
  let frame = 0
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    const place = at + CHUNK_HEADER_BYTES + DURATION_AT
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') {
      const writtenDuration = bytes.readUIntLE(place, DURATION_BYTES)
      let duration = 0
      for (let sum = 0; sum < writtenDuration && frame < acceptedDelays.length; frame++) {
        const isMeant = (acceptedDelays[frame] ?? 0) > SHORTEST
        sum += isMeant ? (acceptedDelays[frame] ?? 0) : INSTEAD
        duration += isMeant ? (durations[frame] ?? 0) : INSTEAD
      }
      bytes.writeUIntLE(Math.min(duration, MOST_DURATION), place, DURATION_BYTES)
    }
    at += CHUNK_HEADER_BYTES + size + (size & 1)
  }
  return bytes
}

/** Header bytes that the RIFF size does not include. */
const RIFF_SIZE_BYTES = 8
/** Bits of the VP8X flags for EXIF and XMP chunks (WebP container, "Extended file format"). */
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04
/** Chunks that pictures need (RFC 9649, 2.7). Unknown ones may say anything. */
const NEEDED: readonly string[] = ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']
/** Some writers put JPEG's header before the TIFF structure. */
const JPEG_PREFIX = 'Exif\0\0'

/**
 * A WebP without EXIF, XMP and unknown chunks; the others are copied unchanged. An orientation other than upright is
 * kept as the only EXIF field, and data after the RIFF is removed. A damaged file is returned unchanged.
 */
export function stripWebp(file: Buffer): Buffer {
  const bytes = file.subarray(0, Math.max(RIFF_HEADER_BYTES, RIFF_SIZE_BYTES + file.readUInt32LE(4)))
  const chunks: Buffer[] = []
  let orientation = 1
  let at = RIFF_HEADER_BYTES
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at + 4)
    const data = at + CHUNK_HEADER_BYTES
    // Chunks are padded to an even size; some writers omit it at the end of the file.
    const end = Math.min(data + size + (size & 1), bytes.length)
    if (data + size > bytes.length) return file
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'EXIF') orientation = orientationOf(withoutPrefix(bytes.subarray(data, data + size)))
    else if (NEEDED.includes(type)) chunks.push(bytes.subarray(at, end))
    at = end
  }
  return assemble(bytes, orientation === 1 ? chunks : [...chunks, exifChunk(orientation)], orientation !== 1)
}

const withoutPrefix = (exif: Buffer) => (exif.toString('latin1', 0, 6) === JPEG_PREFIX ? exif.subarray(6) : exif)

function exifChunk(orientation: number): Buffer {
  const data = orientationOnly(orientation)
  const header = Buffer.from('EXIF\0\0\0\0', 'latin1')
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data])
}

function assemble(original: Buffer, chunks: readonly Buffer[], hasExif: boolean): Buffer {
  const result = Buffer.concat([original.subarray(0, RIFF_HEADER_BYTES), ...chunks])
  result.writeUInt32LE(result.length - 8, 4)
  const flags = RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES
  if (result.toString('latin1', RIFF_HEADER_BYTES, RIFF_HEADER_BYTES + 4) === 'VP8X' && result.length > flags) {
    const others = result.readUInt8(flags) & ~(EXIF_FLAG | XMP_FLAG)
    result.writeUInt8(hasExif ? others | EXIF_FLAG : others, flags)
  }
  return result
}

/** RFC 9649, 2.3 and 2.7: the size of a file does not count its first 8 bytes; the size of file and chunk follows 4 bytes of text. */
const UNCOUNTED_BYTES = 8
const SIZE_AT = 4

/**
 * A WebP that is shorter than its header says, with sizes that are true: without a last chunk of metadata that is cut, or with the
 * lossy pixel data that there are, of which the decoder tells whether rows are missing; of lossless ones it does not miss the last pixel.
 * A cut frame after the first one is removed.
 */
export function completedWebp(file: Buffer): Completed | undefined {
  if (file.length < RIFF_HEADER_BYTES || file.length >= UNCOUNTED_BYTES + file.readUInt32LE(SIZE_AT)) return undefined
  const { at, type, isFirstFrame } = lastChunk(file)
  if (type === 'ANMF') return isFirstFrame ? undefined : cutAt(file, at, 'later_frames_damaged')
  if (type === 'VP8L') return undefined
  if (type !== 'VP8 ') return cutAt(file, at, 'missing_end')
  const pixels = file.length - at - CHUNK_HEADER_BYTES
  const evenFile = withSize(pixels % 2 === 0 ? Buffer.from(file) : Buffer.concat([file, Buffer.alloc(1)]))
  evenFile.writeUInt32LE(pixels, at + SIZE_AT)
  return { file: evenFile, warning: 'missing_end' }
}

/** The chunk that is cut, or the end of those that are not; only their padding may be missing. */
function lastChunk(file: Buffer) {
  let at = RIFF_HEADER_BYTES
  let frames = 0
  for (;;) {
    const type = file.toString('latin1', at, at + SIZE_AT)
    const size = at + CHUNK_HEADER_BYTES <= file.length ? file.readUInt32LE(at + SIZE_AT) : file.length
    const end = at + CHUNK_HEADER_BYTES + size
    if (end > file.length) return { at: Math.min(at, file.length), type, isFirstFrame: frames === 0 }
    if (type === 'ANMF') frames++
    at = end + (size & 1)
  }
}

const cutAt = (file: Buffer, at: number, warning: WarningName): Completed => ({
  file: withSize(Buffer.concat([file.subarray(0, at), Buffer.alloc(at & 1)])),
  warning,
})

/** With its own length in its header. */
function withSize(file: Buffer): Buffer {
  file.writeUInt32LE(file.length - UNCOUNTED_BYTES, SIZE_AT)
  return file
}
