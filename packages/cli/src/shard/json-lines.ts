import type { RandomFile } from './random-file.ts'

/** One of the parts into which a manifest is divided. */
export interface Part {
  /** The number of the line, from 0. */
  readonly index: number
  readonly of: number
}

export interface TextLine {
  /** Position of its first byte in the file. */
  readonly at: number
  /** The line without its end; undefined if it is longer than a line may be. */
  readonly text: string | undefined
}

const CHUNK_BYTES = 1024 * 1024
const MOST_LINE_BYTES = 64 * 1024
const NEWLINE = 0x0a

/** The lines of a file, without empty ones, that begin in the bytes of one part. */
export async function* jsonLines({ size, read }: RandomFile, { index, of }: Part): AsyncGenerator<TextLine> {
  const first = Math.floor((size * index) / of)
  const end = Math.floor((size * (index + 1)) / of)
  // A line that begins before the part is another's: reading starts at the byte before, which may be the end of that line.
  let position = Math.max(0, first - 1)
  let isOther = first > 0
  let lineAt = position
  let pieces: Buffer[] = []
  let length = 0
  while (position < size) {
    const chunk = await read(position, CHUNK_BYTES)
    if (chunk.length === 0) break
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, from)
      const to = newline < 0 ? chunk.length : newline
      length += to - from
      if (!isOther && length <= MOST_LINE_BYTES) pieces.push(chunk.subarray(from, to))
      from = to + 1
      if (newline < 0) continue
      if (!isOther) yield* line(lineAt, length, pieces)
      lineAt = position + from
      if (lineAt >= end) return
      pieces = []
      length = 0
      isOther = false
    }
    position += chunk.length
  }
  if (!isOther) yield* line(lineAt, length, pieces)
}

function* line(at: number, length: number, pieces: readonly Buffer[]): Generator<TextLine> {
  if (length > MOST_LINE_BYTES) yield { at, text: undefined }
  else {
    const text = Buffer.concat(pieces).toString('utf8').trim()
    if (text !== '') yield { at, text }
  }
}
