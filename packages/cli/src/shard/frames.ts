import type { Readable, Writable } from 'node:stream'
import { RunFailure } from '../failure.ts'

/** One message of a pipe: a JSON head, then the bytes that it announces. */
export interface Frame {
  readonly head: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

const LENGTH_BYTES = 4
const MOST_HEAD_BYTES = 64 * 1024
const MOST_BODY_BYTES = 512 * 1024 * 1024

/**
 * Reads frames: 4 bytes, big-endian, with the length of the head; the head; then as many bytes as its `bytes` says.
 * @throws RunFailure for anything else: after it, nothing says where the next frame begins
 */
export async function* readFrames(source: Readable): AsyncGenerator<Frame> {
  const take = taker(source)
  for (;;) {
    const length = await take(LENGTH_BYTES)
    if (!length) return
    const size = length.readUInt32BE()
    if (size === 0 || size > MOST_HEAD_BYTES)
      throw new RunFailure(`A frame's head says it has ${size} bytes: 1 to ${MOST_HEAD_BYTES} are possible.`)
    const head = parseHead(await take(size))
    const bytes = head.bytes ?? 0
    if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 0 || bytes > MOST_BODY_BYTES)
      throw new RunFailure(`A frame's bytes must be a whole number up to ${MOST_BODY_BYTES}.`)
    yield { head, body: (bytes === 0 ? undefined : await take(bytes)) ?? Buffer.alloc(0) }
  }
}

/** Writes a frame, and waits while the reader is slower. */
export async function writeFrame(target: Writable, head: object, bodies: readonly Buffer[]): Promise<void> {
  const text = Buffer.from(JSON.stringify({ ...head, bytes: bodies.reduce((sum, { length }) => sum + length, 0) }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  // In one go, so that frames of other images do not come between.
  target.cork()
  const isFree = [length, text, ...bodies].map((bytes) => target.write(bytes)).at(-1)
  target.uncork()
  if (!isFree) await new Promise((resolve) => target.once('drain', resolve))
}

/** Takes a number of bytes; undefined at the end of the source. */
function taker(source: Readable): (size: number) => Promise<Buffer | undefined> {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer[] = []
  let available = 0
  return async (size) => {
    while (available < size) {
      const { value, done } = await chunks.next()
      if (done && available === 0) return undefined
      if (done) throw new RunFailure('The input ends within a frame.')
      rest.push(value)
      available += value.length
    }
    const bytes = rest.length === 1 ? rest[0] : Buffer.concat(rest)
    if (!bytes) return Buffer.alloc(0)
    available -= size
    rest = available === 0 ? [] : [bytes.subarray(size)]
    return bytes.subarray(0, size)
  }
}

function parseHead(bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new RunFailure('The head of a frame is not a JSON object.')
}
