/** A ZIP's directory of 2,000 files, in one request. */
const WINDOW_BYTES = 256 * 1024

/** Gets the bytes from `first` to `last`, both included and inside the blob. */
export type FetchBytes = (first: number, last: number) => Promise<Buffer>

/**
 * Reads anywhere in a blob of `size` bytes by requests of at least 256 KiB, and answers from the last one what lies in it.
 * Near the end that is the end: whoever begins there reads backwards.
 */
export function readAhead(size: number, fetch: FetchBytes): (position: number, length: number) => Promise<Buffer> {
  let held = { start: 0, bytes: Buffer.alloc(0) }
  return async (position, length) => {
    const end = Math.min(position + length, size)
    if (position >= end) return Buffer.alloc(0)
    if (position < held.start || end > held.start + held.bytes.length) {
      const start = Math.max(0, Math.min(position, size - WINDOW_BYTES))
      const stop = Math.min(size, Math.max(end, start + WINDOW_BYTES))
      held = { start, bytes: await fetch(start, stop - 1) }
    }
    return held.bytes.subarray(position - held.start, end - held.start)
  }
}
