import { Readable } from 'node:stream'
import type { ArchivePlan, Segment } from './plan-archive.ts'

/** Reads exactly `bytes` bytes of a file from `first` on. */
export type ReadContent<Content> = (content: Content, first: number, bytes: number) => Promise<Buffer>

/** What is asked for at once, and how many of these at most before it is their turn: a store far away is then no slower than its line. */
const PIECE_BYTES = 256 * 1024
const MOST_AHEAD = 8

/** A part of one segment. */
interface Piece<Content> {
  readonly content: Buffer | Content
  readonly first: number
  readonly bytes: number
}

/** A piece whose turn will come. */
interface Awaited {
  readonly bytes: Promise<Buffer>
  /** Whether it came before its turn; not known of what needs no reading. */
  early?: boolean
}

/**
 * The bytes of an archive from `first` to `last`, both included. Files outside are not touched, and of each only what is asked
 * for. One piece is read ahead, more as long as the reader has to wait for them, so that one who takes nothing holds little: in
 * memory are 3 MiB at most. Resolves when the first piece is there: the store's failure is then thrown, later it is the stream's.
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
    const piece = awaited(load(value), !Buffer.isBuffer(value.content))
    line.push(piece)
    return piece
  }
  // The first that is read, behind what is known already.
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

function awaited(bytes: Promise<Buffer>, isRead: boolean): Awaited {
  const piece: Awaited = isRead ? { bytes, early: false } : { bytes }
  // Whose turn has not come may fail already: without a listener that would end the process. Whoever waits for it hears of it.
  bytes.then(
    () => {
      if (isRead) piece.early = true
    },
    () => {},
  )
  return piece
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
