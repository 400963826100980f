import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly name: string
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number
  readonly startedAt: bigint
  readonly endedAt: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
  readonly resource: Readonly<Record<string, unknown>>
}

export interface Collector extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }[]
  /** The response from now on. */
  answerWith(status: number): void
}

type Field = Buffer | bigint

/** The fields of a protobuf message by number; of numbers only 64-bit ones and varints, which OTLP uses. */
function fieldsOf(message: Buffer): ReadonlyMap<number, readonly Field[]> {
  const fields = new Map<number, Field[]>()
  let at = 0
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = BigInt(message.readUInt8(at++))
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new Error('a message of protobuf is cut off')
    at += length
    return message.subarray(at - length, at)
  }
  const value = (type: number): Field => {
    if (type === 0) return varint()
    if (type === 1) return take(8).readBigUInt64LE()
    if (type === 2) return take(Number(varint()))
    if (type === 5) return BigInt(take(4).readUInt32LE())
    throw new Error(`protobuf has no wire type ${type}`)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const number = tag >> 3
    fields.set(number, [...(fields.get(number) ?? []), value(tag & 7)])
  }
  return fields
}

const messages = (message: Buffer, number: number): readonly Buffer[] => (fieldsOf(message).get(number) ?? []) as Buffer[]
const bytesOf = (message: Buffer, number: number): Buffer => messages(message, number)[0] ?? Buffer.alloc(0)
const numberOf = (message: Buffer, number: number): bigint => (fieldsOf(message).get(number)?.[0] as bigint | undefined) ?? 0n

/** KeyValue and AnyValue of opentelemetry/proto/common/v1. */
function attributesOf(message: Buffer, number: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(messages(message, number).map((pair) => [bytesOf(pair, 1).toString(), anyValue(bytesOf(pair, 2))]))
}

function anyValue(message: Buffer): unknown {
  for (const [number, [value]] of fieldsOf(message)) {
    if (number === 1) return String(value)
    if (number === 2) return value === 1n
    if (number === 3) return Number(value)
    if (number === 4) return Buffer.from(new BigUint64Array([value as bigint]).buffer).readDoubleLE()
  }
  return undefined
}

/** ExportTraceServiceRequest of opentelemetry/proto/collector/trace/v1. */
function spansOf(body: Buffer): readonly CollectedSpan[] {
  return messages(body, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(bytesOf(resourceSpans, 1), 1)
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2).map((span) => readSpan(span, resource)))
  })
}

const readSpan = (span: Buffer, resource: CollectedSpan['resource']): CollectedSpan => ({
  traceId: bytesOf(span, 1).toString('hex'),
  spanId: bytesOf(span, 2).toString('hex'),
  parentId: bytesOf(span, 4).toString('hex'),
  name: bytesOf(span, 5).toString(),
  kind: Number(numberOf(span, 6)),
  startedAt: numberOf(span, 7),
  endedAt: numberOf(span, 8),
  attributes: attributesOf(span, 9),
  failed: numberOf(bytesOf(span, 15), 3) === 2n,
  resource,
})

/** Speaks OTLP over HTTP like a collector, in protobuf only. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request)
    requests.push({ path: request.url ?? '', headers: request.headers, bytes })
    if (status === 200) spans.push(...spansOf(bytes))
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    answerWith(next) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
