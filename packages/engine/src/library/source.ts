import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { acceptedFormat } from '@pixelmill/codecs'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { MiB } from '@pixelmill/codecs/contract/limits'

/** The bytes of a picture, a path or a `file:` URL, or what can be read once. */
export type Source =
  | Uint8Array
  | ArrayBuffer
  | string
  | URL
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>

/** As many bytes as a renderer takes. */
const MOST_BYTES = 512 * MiB

/**
 * All bytes of a source. They are not copied if they are in memory: they must stay as they are until the picture is there.
 * @throws ImageError file_too_large, or invalid_image if there is no byte; Error of the file system; TypeError for another kind of value
 */
export async function readSource(source: Source, signal: AbortSignal): Promise<Buffer> {
  const bytes = isBytes(source) ? bufferOf(source) : await readAll(chunksOf(source), signal)
  if (bytes.length > MOST_BYTES) throw tooLarge()
  if (bytes.length === 0) throw new ImageError('invalid_image', { message: 'The file is empty.' })
  return bytes
}

/** Whether the caller gives the bytes one after the other, at a pace of its own. */
export const isStream = (source: Source): boolean =>
  typeof source === 'object' && !(source instanceof Blob || source instanceof URL) && !isBytes(source)

/** As `readSource`, for the picture itself. @throws ImageError also invalid_image_type */
export async function readPicture(source: Source, heic: 'on' | 'off', signal: AbortSignal): Promise<Buffer> {
  const bytes = await readSource(source, signal)
  if (!acceptedFormat([bytes], heic)) throw new ImageError('invalid_image_type')
  return bytes
}

const tooLarge = () => new ImageError('file_too_large', { message: 'The file has more than 512 MiB.' })

const isBytes = (source: Source): source is Uint8Array | ArrayBuffer =>
  source instanceof Uint8Array || source instanceof ArrayBuffer

function bufferOf(bytes: Uint8Array | ArrayBuffer): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return bytes instanceof ArrayBuffer ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function chunksOf(source: Exclude<Source, Uint8Array | ArrayBuffer>): AsyncIterable<Uint8Array | string> {
  if (typeof source === 'string') return createReadStream(source)
  if (source instanceof URL) return createReadStream(fileURLToPath(source))
  if (source instanceof Blob) return source.stream() as AsyncIterable<Uint8Array>
  if (typeof source === 'object' && source !== null && Symbol.asyncIterator in source) return source
  throw new TypeError('A picture is bytes, a path, a file URL, a Blob or a stream.')
}

/** A source that never ends is left when the signal aborts. */
async function readAll(chunks: AsyncIterable<Uint8Array | string>, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted()
  const parts: Buffer[] = []
  let length = 0
  const iterator = chunks[Symbol.asyncIterator]()
  const { promise: abortion, reject } = Promise.withResolvers<never>()
  abortion.catch(() => {})
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    for (let next = await Promise.race([iterator.next(), abortion]); !next.done; ) {
      const part = typeof next.value === 'string' ? Buffer.from(next.value) : bufferOf(next.value)
      length += part.length
      if (length > MOST_BYTES) throw tooLarge()
      parts.push(part)
      next = await Promise.race([iterator.next(), abortion])
    }
    return Buffer.concat(parts, length)
  } catch (error) {
    // Closes the stream. One that waits for its next chunk answers only then, and is not waited for.
    void iterator.return?.().catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
