import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer {
  readonly port: number
  close(): void
}

/** Of a query (RFC 1035, §4): the header's 12 bytes, then the question up to its type and class. */
const HEADER = 12
const ANSWER = Buffer.from('c00c00010001000000010004', 'hex')

/** A DNS server on 127.0.0.1 to which every name has these IPv4 addresses, for a second: what Docker's is to the containers. */
export async function nameServer(addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const question = query.subarray(HEADER, query.indexOf(0, HEADER) + 5)
    const header = Buffer.from(query.subarray(0, HEADER))
    // An answer, without a fault; one question, as many answers, nothing else.
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const answers = addresses.map((each) => Buffer.concat([ANSWER, Buffer.from(each.split('.').map(Number))]))
    socket.send(Buffer.concat([header, question, ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}
