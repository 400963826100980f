/** A ZIP's directory of 2,000 files, in one request. */
const WINDOW_BYTES = 256 * 1024

interface Window {
  readonly start: number
  readonly bytes: Buffer
}

/** Gets the bytes from `first` to `last`, both included and inside the blob. */
export type FetchBytes = (first: number, last: number) => Promise<Buffer>

/**
 * Reads anywhere in a blob of `size` bytes by requests of at least 256 KiB, and answers from the last one what lies in it.
 * Near the end that is the end: whoever begins there reads backwards.
 */
export function readAhead(size: number, load: FetchBytes): (position: number, length: number) => Promise<Buffer> {
  let held: Window = { start: 0, bytes: Buffer.alloc(0) }
  return async (position, length) => {
    const end = Math.min(position + length, size)
    if (position >= end) return Buffer.alloc(0)
    const window = covers(held, position, end) ? held : await fetchWindow(position, end)
    held = window
    return window.bytes.subarray(position - window.start, end - window.start)
  }

  async function fetchWindow(position: number, end: number): Promise<Window> {
    const start = Math.max(0, Math.min(position, size - WINDOW_BYTES))
    const stop = Math.min(size, Math.max(end, start + WINDOW_BYTES))
    return { start, bytes: await load(start, stop - 1) }
  }
}

function covers({ start, bytes }: Window, position: number, end: number): boolean {
  return position >= start && end <= start + bytes.length
}
