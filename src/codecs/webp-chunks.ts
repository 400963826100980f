/** What kind of picture a WebP holds (RFC 9649). */
export interface WebpKind {
  readonly lossless: boolean
  readonly animated: boolean
}

const [RIFF_HEADER_BYTES, CHUNK_HEADER_BYTES, FRAME_HEADER_BYTES] = [12, 8, 16]

/** Reads the chunks up to the first that holds pixels; a file that cannot be walked counts as lossy. */
export function webpKindOf(bytes: Buffer): WebpKind {
  let animated = false
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'VP8L' || type === 'VP8 ') return { lossless: type === 'VP8L', animated }
    const size = bytes.readUInt32LE(at + 4)
    // The chunks of a frame stand inside its own, behind its place and duration.
    if (type === 'ANMF') animated = true
    at += CHUNK_HEADER_BYTES + (type === 'ANMF' ? FRAME_HEADER_BYTES : size + (size & 1))
  }
  return { lossless: false, animated }
}
