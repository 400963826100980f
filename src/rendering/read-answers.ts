import type { Duplex } from 'node:stream'
import { type Answer, LENGTH_BYTES } from './wire.ts'

export interface Message {
  readonly answer: Answer
  readonly files: readonly Buffer[]
}

/** The API's end of the wire: calls back once for each whole message. The sender is our own renderer, so sizes are as they say. */
export function readAnswers(wire: Duplex, onMessage: (message: Message) => void): void {
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
    want(bytes.readUInt32LE(), header)
  }
  function header(bytes: Buffer): void {
    const answer = JSON.parse(bytes.toString()) as Answer
    collect(answer, [])
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

  wire.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      const count = chunk.copy(wanted, filled, at)
      at += count
      filled += count
      if (filled === wanted.length) step(wanted)
    }
  })
}
