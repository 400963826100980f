import { inflateSync, constants as zlib, zstdDecompressSync } from 'node:zlib'
import { expandLzw } from './lzw.ts'
import { expandPackBits } from './pack-bits.ts'

/** Gives at most `bytes` bytes; fewer where the data are cut. May throw on damaged data. */
type Decompress = (data: Uint8Array, bytes: number) => Uint8Array

/** Some writers end a strip with a few bytes too many; bombs end here. */
const SLACK = 4_096

/** By Compression, those that need no picture codec. */
export const decompressors: Readonly<Record<number, Decompress>> = {
  // A copy, since the predictor is undone in place.
  1: (data, bytes) => new Uint8Array(data.subarray(0, bytes)),
  5: expandLzw,
  // Deflate by Adobe's number and by the one before it.
  8: inflate,
  32946: inflate,
  32773: expandPackBits,
  50000: (data, bytes) => zstdDecompressSync(data, { maxOutputLength: bytes + SLACK }),
}

function inflate(data: Uint8Array, bytes: number): Uint8Array {
  return inflateSync(data, { maxOutputLength: bytes + SLACK, finishFlush: zlib.Z_SYNC_FLUSH })
}
