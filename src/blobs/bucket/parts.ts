import type { Readable } from 'node:stream'

/** S3 takes 10,000 parts of at least 5 MiB, so this allows blobs of 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

export interface Part {
  /** From 1 on, as S3 counts. */
  readonly number: number
  readonly bytes: Buffer
  readonly last: boolean
}

/** Cuts a stream into parts of 8 MiB and a last one of what is left, which is empty when the stream is. */
export async function* partsOf(source: Readable): AsyncGenerator<Part, void> {
  let number = 1
  let bytes = Buffer.allocUnsafeSlow(PART_BYTES)
  let filled = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let taken = 0; taken < chunk.length; ) {
      if (filled === PART_BYTES) {
        yield { number, bytes, last: false }
        number++
        bytes = Buffer.allocUnsafeSlow(PART_BYTES)
        filled = 0
      }
      const copied = chunk.copy(bytes, filled, taken)
      filled += copied
      taken += copied
    }
  }
  yield { number, bytes: bytes.subarray(0, filled), last: true }
}
