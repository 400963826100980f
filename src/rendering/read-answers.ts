import type { Duplex } from 'node:stream'
import { parseAnswer } from './parse-answer.ts'
import { type Answer, LENGTH_BYTES } from './wire.ts'

export interface Message {
  readonly answer: Answer
  readonly files: readonly Buffer[]
}

/** An answer's JSON is some hundred bytes. */
const HEADER_BYTES = 1024 * 1024

/**
 * The API's end of the wire: calls back once for each whole message. The sender may have been taken over by a file: after
 * what is no answer, or what `onMessage` throws at, nothing more is read.
 */
export function readAnswers(wire: Duplex, onMessage: (message: Message) => void, onFault: (error: Error) => void): void {
  let wanted = Buffer.allocUnsafe(LENGTH_BYTES)
  let filled = 0
  let step: (bytes: Buffer) => void = length

  function want(size: number, then: (bytes: Buffer) => void): void {
    wanted = Buffer.allocUnsafeSlow(size)
    filled = 0
    step = then
    if (size === 0) then(wanted)
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
      const count = chunk.copy(wanted, filled, at)
      at += count
      filled += count
      if (filled === wanted.length) step(wanted)
    }
  }
  wire.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      wire.destroy()
      onFault(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
