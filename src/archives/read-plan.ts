import { Readable } from 'node:stream'
import type { ArchivePlan, Segment } from './plan-archive.ts'

/** Reads exactly `bytes` bytes of a file from `first` on. */
export type ReadContent<Content> = (content: Content, first: number, bytes: number) => Promise<Buffer>

/** What is asked for at once, and how many of these before it is their turn: a store far away is then no slower than its line. */
const PIECE_BYTES = 512 * 1024
const AHEAD = 8

/** A part of one segment. */
interface Piece<Content> {
  readonly content: Buffer | Content
  readonly first: number
  readonly bytes: number
}

/**
 * The bytes of an archive from `first` to `last`, both included. Files outside are not touched, and of each only what is asked
 * for; in memory are 4 MiB at most. Resolves when the first of them are there: the store's failure is then thrown, later it
 * is the stream's.
 */
export async function readPlan<Content>(
  plan: ArchivePlan<Content>,
  { first, last }: { readonly first: number; readonly last: number },
  read: ReadContent<Content>,
): Promise<Readable> {
  const load = ({ content, first, bytes }: Piece<Content>) =>
    Buffer.isBuffer(content) ? Promise.resolve(content.subarray(first, first + bytes)) : readExactly(read, content, first, bytes)
  const pieces = piecesOf(plan, first, last + 1)
  const ahead: Promise<Buffer>[] = []
  function readOn(): void {
    const { value, done } = pieces.next()
    if (!done) ahead.push(held(load(value)))
  }
  for (let nth = 0; nth < AHEAD; nth++) readOn()
  await Promise.all(ahead)
  async function* inOrder(): AsyncGenerator<Buffer> {
    for (let next = ahead.shift(); next; next = ahead.shift()) {
      readOn()
      yield await next
    }
  }
  return Readable.from(inOrder(), { objectMode: false })
}

/** Whose turn has not come may fail already: without a listener that would end the process. Whoever waits for it hears of it. */
function held(bytes: Promise<Buffer>): Promise<Buffer> {
  bytes.catch(() => {})
  return bytes
}

async function readExactly<Content>(read: ReadContent<Content>, content: Content, first: number, bytes: number): Promise<Buffer> {
  const found = await read(content, first, bytes)
  if (found.length === bytes) return found
  throw new Error(`a file of the archive has ${found.length} of ${bytes} bytes from ${first} on`)
}

function* piecesOf<Content>({ segments }: ArchivePlan<Content>, from: number, to: number): Generator<Piece<Content>, void> {
  for (let nth = segmentAt(segments, from); nth < segments.length; nth++) {
    const { at, bytes, content } = segments[nth] as Segment<Content>
    if (at >= to) return
    const end = Math.min(bytes, to - at)
    for (let first = Math.max(0, from - at); first < end; first += PIECE_BYTES) {
      yield { content, first, bytes: Math.min(PIECE_BYTES, end - first) }
    }
  }
}

/** The place of the segment in which a byte is. */
function segmentAt<Content>(segments: readonly Segment<Content>[], position: number): number {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const { at, bytes } = segments[middle] as Segment<Content>
    if (at + bytes <= position) low = middle + 1
    else high = middle
  }
  return low
}
