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
