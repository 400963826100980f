import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { TestContext } from 'node:test'

/**
 * A server that speaks as much of PostgreSQL's protocol 3 as it takes to claim a version. The first connections get an error, each its
 * own. Returns its port.
 */
export async function startFakeServer(
  test: Pick<TestContext, 'after'>,
  row: Readonly<Record<string, string>>,
  refusals: readonly { readonly code: string; readonly message: string }[] = [],
): Promise<number> {
  const left = refusals.values()
  const server = createServer((socket) => {
    // The first packet has no type byte; every later one begins with it.
    socket.once('data', () => {
      const { value: refusal } = left.next()
      if (refusal) {
        socket.end(error(refusal))
        return
      }
      socket.write(Buffer.concat([packet('R', int32(0)), READY]))
      socket.on('data', (request) => request[0] === QUERY && socket.write(answer(row)))
    })
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  test.after(() => server.close())
  return (server.address() as AddressInfo).port
}

const QUERY = 'Q'.charCodeAt(0)
const TEXT_TYPE = 25
const READY = packet('Z', Buffer.from('I'))

function error({ code, message }: { readonly code: string; readonly message: string }): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${message}`].map(text)
  return packet('E', Buffer.concat([...fields, Buffer.from([0])]))
}

function answer(row: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(row)
  const fields = entries.map(([name]) =>
    Buffer.concat([text(name), int32(0), int16(0), int32(TEXT_TYPE), int16(-1), int32(-1), int16(0)]),
  )
  const values = entries.map(([, value]) => Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]))
  const count = int16(entries.length)
  const description = packet('T', Buffer.concat([count, ...fields]))
  return Buffer.concat([description, packet('D', Buffer.concat([count, ...values])), packet('C', text('SELECT 1')), READY])
}

function packet(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
