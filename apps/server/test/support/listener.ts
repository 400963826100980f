import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listener {
  readonly port: number
  readonly url: string
  /** Connections accepted so far. */
  connections(): number
  /** Responses in progress; not those that the client aborted. */
  answering(): number
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A real HTTP server on a loopback address.
 * @param onPort 0 for one that is free
 */
export async function listen(answer: RequestListener, host = '127.0.0.1', onPort = 0): Promise<Listener> {
  let connections = 0
  let answering = 0
  const server = createServer((request, response) => {
    answering++
    response.once('close', () => answering--)
    answer(request, response)
  })
  server.on('connection', () => connections++)
  server.listen(onPort, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${host}:${port}`,
    connections: () => connections,
    answering: () => answering,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
