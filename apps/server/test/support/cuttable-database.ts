import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to PostgreSQL whose connections can be cut, like a network. */
export interface Way extends AsyncDisposable {
  readonly url: string
  /** Breaks every connection from now on; `silent` accepts new ones and never answers, `closed` refuses them. */
  cut(how: 'silent' | 'closed'): void
  restore(): Promise<void>
}

/** Forwards a TCP port of this machine to the unix socket of an embedded PostgreSQL. */
export async function wayTo(socketDir: string): Promise<Way> {
  const open = new Set<Socket>()
  let silent = false
  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => near.destroy()).once('close', () => open.delete(near))
    if (silent) return void near.resume()
    const far = connect(`${socketDir}/.s.PGSQL.5432`)
    far.on('error', () => near.destroy()).once('close', () => near.destroy())
    near.once('close', () => far.destroy())
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `postgres://pixelmill@127.0.0.1:${port}/postgres`,
    cut(how) {
      silent = how === 'silent'
      if (how === 'closed') server.close()
      breakAll()
    },
    async restore() {
      silent = false
      breakAll()
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async [Symbol.asyncDispose]() {
      server.close()
      breakAll()
    },
  }
}
