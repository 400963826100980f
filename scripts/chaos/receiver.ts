import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Event {
  /** The header webhook-id: the same for every time that it is delivered. */
  readonly id: string
  readonly type: string
  readonly batchId: string
}

export interface Receiver {
  readonly url: string
  /** Each event once, however often it came. */
  events(batchId: string): readonly Event[]
  /** Those that came more than once. */
  repeated(): number
  close(): void
}

/** Receives webhooks as a careful customer does; of some it says that it failed, though it noted them. */
export async function startReceiver(fails: () => boolean): Promise<Receiver> {
  const seen = new Map<string, Event>()
  let repeated = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    const id = String(request.headers['webhook-id'])
    if (seen.has(id)) repeated++
    seen.set(id, { id, type: body.type, batchId: body.data.id })
    response.writeHead(fails() ? 500 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events: (batchId) => [...seen.values()].filter((event) => event.batchId === batchId),
    repeated: () => repeated,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
