import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Event {
  /** The header webhook-id: the same for every delivery of an event. */
  readonly id: string
  readonly type: string
  readonly batchId: string
}

export interface Receiver {
  readonly url: string
  /** Each event once, however often it was delivered. */
  events(batchId: string): readonly Event[]
  /** Events delivered more than once. */
  repeated(): number
  close(): void
}

/** A webhook receiver that deduplicates; it reports failure for some events though it recorded them. */
export async function startReceiver(fails: () => boolean): Promise<Receiver> {
  const events = new Map<string, Event>()
  let repetitions = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
    const id = String(request.headers['webhook-id'])
    if (events.has(id)) repetitions++
    events.set(id, { id, type: body.type, batchId: body.data.id })
    response.writeHead(fails() ? 500 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events: (batchId) => [...events.values()].filter((event) => event.batchId === batchId),
    repeated: () => repetitions,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
