import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { OutgoingImage } from '@pixelmill/engine/crops/inline-image'
import type { Reply } from './route.ts'

/** Bytes of an image that become Base64 at once: whole groups of three, 64 KiB as text. */
const SLICE_BYTES = 48 * 1024
/** Half a millisecond of work. */
const PAUSE_BYTES = 8 * SLICE_BYTES

/**
 * A JSON answer with images: each OutgoingImage anywhere in `body` is sent as a data URI, which is encoded while the client reads, so
 * that no answer is ever one large string.
 */
export function imageJsonReply(body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const parts = partsOf(body)
  const length = parts.reduce(
    (total, part) => total + (Buffer.isBuffer(part) ? 4 * Math.ceil(part.length / 3) : Buffer.byteLength(part)),
    0,
  )
  return {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': String(length) },
    body: Readable.from(chunksOf(parts), { objectMode: false }),
  }
}

/** The text of the answer, and between its pieces the bytes that are sent as Base64. */
function partsOf(body: unknown): readonly (string | Buffer)[] {
  // Random, so that no text of the answer can contain it.
  const mark = randomUUID()
  const images: OutgoingImage[] = []
  const text = JSON.stringify(body, (_name, value: unknown) => {
    if (!(value instanceof OutgoingImage)) return value
    images.push(value)
    return mark
  })
  const [first = '', ...rest] = text.split(`"${mark}"`)
  return [
    first,
    ...rest.flatMap((piece, index) => {
      const image = images[index]
      if (!image) throw new Error('a mark without an image')
      return [`"data:${image.mediaType};base64,`, image.bytes, `"${piece}`]
    }),
  ]
}

async function* chunksOf(parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part)
    else yield* slicesOf(part)
  }
}

async function* slicesOf(image: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < image.length; from += SLICE_BYTES) {
    yield Buffer.from(image.toString('base64', from, from + SLICE_BYTES), 'latin1')
    // Otherwise a fast client would have all of it encoded in one tick of the event loop.
    if (from % PAUSE_BYTES === 0) await setImmediate()
  }
}
