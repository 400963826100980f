import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a server whose connections break while something is sent through them. */
export interface BreakingProxy extends AsyncDisposable {
  readonly url: string
  /** How many connections have broken. */
  broken(): number
}

/**
 * Passes bytes on, and breaks the connection each time that so many bytes more have been sent to the server, for each number once.
 * Half of the breaks are resets, half are ends.
 */
export async function startBreakingProxy(server: string, after: readonly number[]): Promise<BreakingProxy> {
  const { hostname, port } = new URL(server)
  const breaks = [...after]
  const open = new Set<Socket>()
  let left = breaks.shift()
  let broken = 0

  function breakBoth(sockets: readonly Socket[]): void {
    broken++
    left = breaks.shift()
    for (const socket of sockets) {
      if (broken % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }
  }
  const proxy = createServer((client) => {
    const way = connect(Number(port), hostname)
    for (const socket of [client, way]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        way.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      if (left === undefined || chunk.length < left) {
        if (left !== undefined) left -= chunk.length
        if (!way.write(chunk)) client.pause()
        return
      }
      client.pause()
      // What came before the break arrives.
      way.write(chunk.subarray(0, left), () => breakBoth([client, way]))
    })
    way.on('drain', () => client.resume())
    way.on('data', (chunk: Buffer) => client.write(chunk))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    broken: () => broken,
    async [Symbol.asyncDispose]() {
      proxy.close()
      for (const socket of open) socket.destroy()
    },
  }
}
