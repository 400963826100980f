import type { Readable } from 'node:stream'

/** S3 takes 10,000 parts of at least 5 MiB, so this allows blobs of 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

export interface Part {
  /** From 1 on, as S3 counts. */
  readonly number: number
  readonly bytes: Buffer
  readonly last: boolean
  /** Lets the memory be used for a later part: the garbage collector is slower than a fast source. */
  release(): void
}

/** Cuts a stream into parts of 8 MiB and a last one of what is left, which is empty when the stream is. */
export async function* partsOf(source: Readable): AsyncGenerator<Part, void> {
  const free: Buffer[] = []
  const part = (number: number, memory: Buffer, filled: number, last: boolean): Part => ({
    number,
    bytes: memory.subarray(0, filled),
    last,
    release: () => free.push(memory),
  })
  let number = 1
  let memory: Buffer = Buffer.allocUnsafeSlow(PART_BYTES)
  let filled = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let taken = 0; taken < chunk.length; ) {
      if (filled === PART_BYTES) {
        yield part(number++, memory, filled, false)
        memory = free.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES)
        filled = 0
      }
      const copied = chunk.copy(memory, filled, taken)
      filled += copied
      taken += copied
    }
  }
  yield part(number, memory, filled, true)
}
