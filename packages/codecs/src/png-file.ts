const SIGNATURE_BYTES = 8
/** Length, type and checksum around each chunk's data (PNG, third edition, 5.3). */
export const CHUNK_OVERHEAD = 12

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** Where it begins in the file. */
  readonly at: number
}

/** The chunks up to one that is cut. */
export function* chunksIn(file: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD <= file.length; ) {
    const length = file.readUInt32BE(at)
    if (at + CHUNK_OVERHEAD + length > file.length) return
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length), at }
    at += CHUNK_OVERHEAD + length
  }
}
