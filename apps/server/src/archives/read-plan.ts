import { Readable } from 'node:stream'
import type { ArchivePlan, Segment } from './plan-archive.ts'

/** Reads exactly `bytes` bytes of a file from `first` on. */
export type ReadContent<Content> = (content: Content, first: number, bytes: number) => Promise<Buffer>

/** Bytes per read, and how many reads may be ahead of the consumer, so that a distant bucket is limited by bandwidth, not latency. */
const PIECE_BYTES = 256 * 1024
const MOST_AHEAD = 8

/** A part of one segment. */
interface Piece<Content> {
  readonly content: Buffer | Content
  readonly first: number
  readonly bytes: number
}

/** A piece whose read has been started. */
interface Awaited {
  readonly bytes: Promise<Buffer>
  /** Whether it arrived before it was needed; undefined for content in memory. */
  early?: boolean
}

/**
 * Streams the bytes of an archive from `first` to `last`, both included. Only the requested ranges of files are
 * read. One piece is read ahead, and more while the consumer has to wait, so that an idle consumer holds little memory: at most
 * 3 MiB. Resolves when the first piece has arrived: an earlier failure rejects, a later one is the stream's error.
 */
export async function readPlan<Content>(
  plan: ArchivePlan<Content>,
  { first, last }: { readonly first: number; readonly last: number },
  read: ReadContent<Content>,
): Promise<Readable> {
  const load = ({ content, first, bytes }: Piece<Content>) =>
    Buffer.isBuffer(content) ? Promise.resolve(content.subarray(first, first + bytes)) : readExactly(read, content, first, bytes)
  const pieces = piecesOf(plan, first, last + 1)
  const line: Awaited[] = []
  let ahead = 1
  function readOn(): Awaited | undefined {
    const { value, done } = pieces.next()
    if (done) return undefined
    const piece = awaitedPart(load(value), !Buffer.isBuffer(value.content))
    line.push(piece)
    return piece
  }
  // The first piece that is read from a file.
  let head = readOn()
  while (head && head.early === undefined) head = readOn()
  await head?.bytes
  async function* inOrder(): AsyncGenerator<Buffer> {
    for (let next = line.shift(); next; next = line.shift()) {
      if (next.early !== undefined) ahead = next.early ? Math.max(1, ahead - 1) : Math.min(MOST_AHEAD, ahead + 1)
      while (line.length < ahead && readOn()) {}
      yield await next.bytes
    }
  }
  return Readable.from(inOrder(), { objectMode: false })
}

function awaitedPart(bytes: Promise<Buffer>, isRead: boolean): Awaited {
  const piece: Awaited = isRead ? { bytes, early: false } : { bytes }
  // A read may fail before it is awaited: without a handler the rejection would end the process.
  bytes.then(
    () => {
      if (isRead) piece.early = true
    },
    () => {},
  )
  return piece
}

async function readExactly<Content>(read: ReadContent<Content>, content: Content, first: number, bytes: number): Promise<Buffer> {
  const foundBytes = await read(content, first, bytes)
  if (foundBytes.length === bytes) return foundBytes
  throw new Error(`a file of the archive has ${foundBytes.length} of ${bytes} bytes from ${first} on`)
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

/** The index of the segment that contains a byte. */
function segmentAt<Content>(segments: readonly Segment<Content>[], position: number): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { at, bytes } = segments[middle] as Segment<Content>
    if (at + bytes <= position) low = middle + 1
    else high = middle
  }
  return low
}
