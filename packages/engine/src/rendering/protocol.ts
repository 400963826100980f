import { readSync, writeSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import type { Programs } from '@pixelmill/codecs/programs'
import type { TaskCall } from '../way-of-a-picture.ts'
import { type Answer, parseAnswer } from './answer.ts'
import { readUpload } from './upload-file.ts'

/**
 * Messages between the API process and a renderer: a length of 4 bytes, little-endian, that many bytes of JSON, and the bytes of
 * the files whose sizes the JSON gives. One at a time in each direction, on one socket. The bytes of a request are in the upload
 * file instead, if there is room.
 */
const LENGTH_BYTES = 4

/** The descriptor of a renderer's end of the socket. */
const SOCKET = 3

/** The files of one job as they arrived: each a list of chunks, which are not joined. */
export type Files = readonly (readonly Buffer[])[]

/**
 * Releases the memory of received bytes, which are empty from then on; otherwise they are the main cause of garbage collections.
 * No other view may use the same ArrayBuffer, and the bytes must not be on their way to a file or a socket.
 */
export const giveBackMemory = ({ buffer }: Buffer): void => void (buffer as ArrayBuffer).transfer(0)

/** Releases the memory of those chunks that fill an ArrayBuffer of their own; others may share it. */
export function giveBackOwnMemory(chunks: readonly Buffer[]): void {
  for (const chunk of chunks) if (chunk.length === chunk.buffer.byteLength) giveBackMemory(chunk)
}

export interface Request extends TaskCall {
  readonly programs: Programs
  /** Megapixels that may be processed without asking. */
  readonly allowance: number
  /** Maximum estimated seconds without asking; by default unlimited. */
  readonly seconds?: number
  readonly files: readonly number[]
  /** The bytes of the files are in the upload file, one file behind the other. */
  readonly inFile?: boolean
}

export interface Message {
  readonly answer: Answer
  readonly files: readonly Buffer[]
}

export function frame(header: object): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/**
 * The renderer's end. It blocks: a renderer has nothing else to do, and reading straight into one buffer of the known size saves
 * the event loop and a copy. Undefined when the parent has gone.
 */
export function receive(): { request: Request; files: Buffer[] } | undefined {
  const length = readExactly(LENGTH_BYTES)
  const json = length && readExactly(length.readUInt32LE())
  if (!json) return undefined
  // Written by our own parent process, so the types hold.
  const request = JSON.parse(json.toString()) as Request
  const files: Buffer[] = []
  let position = 0
  for (const size of request.files) {
    const bytes = request.inFile ? readUpload(size, position) : readExactly(size)
    if (!bytes) return undefined
    files.push(bytes)
    position += size
  }
  return { request, files }
}

function readExactly(size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size; ) {
    const count = readSync(SOCKET, bytes, at, size - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}

export function send(answer: Answer, files: readonly Buffer[]): void {
  for (const bytes of [frame(answer), ...files]) {
    for (let at = 0; at < bytes.length; ) at += writeSync(SOCKET, bytes, at)
  }
}

/** The JSON of an answer has some hundred bytes. */
const HEADER_BYTES = 1024 * 1024

/**
 * The API's end: calls back once for each complete message. A hostile file may have taken over the sender: after an invalid
 * answer, or if `onMessage` throws, nothing more is read.
 */
export function readAnswers(socket: Duplex, onMessage: (message: Message) => void, onFault: (error: Error) => void): void {
  let buffer = Buffer.allocUnsafe(LENGTH_BYTES)
  let position = 0
  let step: (bytes: Buffer) => void = length

  function want(size: number, then: (bytes: Buffer) => void): void {
    buffer = Buffer.allocUnsafeSlow(size)
    position = 0
    step = then
    if (size === 0) then(buffer)
  }
  function length(bytes: Buffer): void {
    const size = bytes.readUInt32LE()
    if (size > HEADER_BYTES) throw new Error(`a renderer announced a header of ${size} bytes`)
    want(size, header)
  }
  function header(bytes: Buffer): void {
    collect(parseAnswer(bytes), [])
  }
  function collect(answer: Answer, files: readonly Buffer[]): void {
    const size = answer.files[files.length]
    if (size !== undefined) {
      want(size, (bytes) => collect(answer, [...files, bytes]))
    } else {
      want(LENGTH_BYTES, length)
      onMessage({ answer, files })
    }
  }

  function read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const count = chunk.copy(buffer, position, at)
      at += count
      position += count
      if (position === buffer.length) step(buffer)
    }
  }
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
      giveBackOwnMemory([chunk])
    } catch (error) {
      socket.destroy()
      onFault(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
