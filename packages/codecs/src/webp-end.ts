import type { Completed } from './codec.ts'
import type { WarningName } from './contract/warnings.ts'

/** RFC 9649, 2.3 and 2.7: the header of the file, of which the size does not count the first 8 bytes, and that of a chunk. */
const RIFF_HEADER_BYTES = 12
const UNCOUNTED_BYTES = 8
const CHUNK_HEADER_BYTES = 8
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
