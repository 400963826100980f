import { connect } from 'node:net'

export interface BlockingAnswer {
  /** What the server sent until it closed the connection or `enough` returned true. */
  readonly text: string
  /** The error that stopped the writing of the request. */
  readonly error: string | undefined
}

/**
 * Writes a whole request before it reads a byte, as Python's http.client and many proxies do.
 * @param enough whether the answer is complete; without it the server has to close the connection
 */
export function askBlocking(
  url: string,
  pieces: readonly (string | Buffer)[],
  enough: (text: string) => boolean = () => false,
): Promise<BlockingAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    let error: string | undefined
    const socket = connect({ host: hostname, port: Number(port) }).pause()
    socket.on('error', (fault: Error & { code?: string }) => (error ??= fault.code ?? fault.message))
    socket.on('close', () => resolve({ text, error }))
    socket.on('end', () => socket.destroy())
    for (const piece of pieces.slice(0, -1)) socket.write(piece)
    socket.write(pieces.at(-1) ?? '', (fault) => {
      if (fault) return
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (enough(text)) socket.destroy()
      })
      socket.resume()
    })
  })
}
