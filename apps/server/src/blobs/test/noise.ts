import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

const CHUNK_BYTES = 64 * 1024
const block = randomBytes(CHUNK_BYTES)

/** A stream of so many bytes, of which no two chunks are alike, and the hash of what it gave. */
export function noise(bytes: number): { stream: Readable; hash: () => string } {
  const hash = createHash('sha256')
  function* chunks() {
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      const chunk = Buffer.from(block.subarray(0, Math.min(CHUNK_BYTES, bytes - at)))
      if (chunk.length >= 8) chunk.writeDoubleLE(at)
      hash.update(chunk)
      yield chunk
    }
  }
  return { stream: Readable.from(chunks(), { objectMode: false }), hash: () => hash.digest('hex') }
}

export async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}

export const text = (words: string) => Readable.from([Buffer.from(words)])
