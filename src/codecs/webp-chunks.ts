import { limits } from '../contract/limits.ts'

/** What kind of picture a WebP holds (RFC 9649). */
export interface WebpKind {
  /** The first frame's VP8 data; undefined where it is lossless. */
  readonly vp8: Buffer | undefined
  readonly animated: boolean
}

const [RIFF_HEADER_BYTES, CHUNK_HEADER_BYTES, FRAME_HEADER_BYTES] = [12, 8, 16]

/** Reads the chunks up to the first that holds pixels; undefined where there is none. */
export function webpKindOf(bytes: Buffer): WebpKind | undefined {
  let animated = false
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'VP8L' || type === 'VP8 ') {
      return { vp8: type === 'VP8 ' ? bytes.subarray(at + CHUNK_HEADER_BYTES) : undefined, animated }
    }
    const size = bytes.readUInt32LE(at + 4)
    // The chunks of a frame stand inside its own, behind its place and duration.
    if (type === 'ANMF') animated = true
    at += CHUNK_HEADER_BYTES + (type === 'ANMF' ? FRAME_HEADER_BYTES : size + (size & 1))
  }
  return undefined
}

const { frames: MOST_FRAMES, structure } = limits

/**
 * What a WebP has too many of: frames, for which libwebp's list is walked from its start again and again (100,000 cost 11 s),
 * or chunks beside and inside them.
 */
export function webpExcess(bytes: Buffer): string | undefined {
  let [frames, parts] = [0, 0]
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const isFrame = bytes.toString('latin1', at, at + 4) === 'ANMF'
    if (isFrame && ++frames > MOST_FRAMES) return `${MOST_FRAMES} frames`
    // Each frame is three chunks at most: its place, its alpha and its colours.
    if (!isFrame && ++parts > structure.parts) return `${structure.parts} chunks`
    const size = bytes.readUInt32LE(at + 4)
    at += CHUNK_HEADER_BYTES + (isFrame ? FRAME_HEADER_BYTES : size + (size & 1))
  }
  return undefined
}

/** Where a frame's duration stands in its chunk (RFC 9649, 2.7.1.1): 24 bits. */
const [DURATION_AT, DURATION_BYTES] = [12, 3]
const MOST_DURATION = 2 ** 24 - 1
/** libvips takes shorter delays for ones that are not meant, as browsers do. */
const [SHORTEST, INSTEAD] = [10, 100]

/** The animation with frames of other durations than were asked of libvips, in milliseconds; its encoder may have joined some. */
export function withDurations(file: Buffer, asked: readonly number[], durations: readonly number[]): Buffer {
  const bytes = Buffer.from(file)
  let frame = 0
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    const place = at + CHUNK_HEADER_BYTES + DURATION_AT
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') {
      const written = bytes.readUIntLE(place, DURATION_BYTES)
      let duration = 0
      for (let sum = 0; sum < written && frame < asked.length; frame++) {
        const isMeant = (asked[frame] ?? 0) > SHORTEST
        sum += isMeant ? (asked[frame] ?? 0) : INSTEAD
        duration += isMeant ? (durations[frame] ?? 0) : INSTEAD
      }
      bytes.writeUIntLE(Math.min(duration, MOST_DURATION), place, DURATION_BYTES)
    }
    at += CHUNK_HEADER_BYTES + size + (size & 1)
  }
  return bytes
}
