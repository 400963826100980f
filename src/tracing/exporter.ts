import type { Sdk } from './sdk.ts'

/** Sends one request of OTLP; resolves with the status of the answer. */
export type PostSpans = (body: Uint8Array<ArrayBuffer>) => Promise<number>

/** Of spans that nobody took: how many, and why the last of them. */
export type OnSpansLost = (spans: number, why: unknown) => void

/** What the SDK asks of an exporter: its codes are 0 for success and 1 for failure. */
interface Exporter {
  export(spans: readonly object[], done: (result: { readonly code: 0 | 1 }) => void): void
  shutdown(): Promise<void>
}

/**
 * Sends spans as OTLP in protobuf. Each batch is sent once: a collector that is away loses spans, and neither memory nor
 * callers pay for it.
 */
export function otlpExporter({ transformer }: Pick<Sdk, 'transformer'>, post: PostSpans, onLost: OnSpansLost): Exporter {
  const underWay = new Set<Promise<void>>()

  async function send(spans: readonly object[]): Promise<0 | 1> {
    try {
      const body = transformer.ProtobufTraceSerializer.serializeRequest(spans)
      if (!body) throw new Error('the spans could not be written')
      const status = await post(body)
      if (status >= 200 && status < 300) return 0
      onLost(spans.length, `the collector answered ${status}`)
    } catch (error) {
      onLost(spans.length, error)
    }
    return 1
  }
  return {
    export(spans, done) {
      const sent = send(spans).then((code) => {
        underWay.delete(sent)
        done({ code })
      })
      underWay.add(sent)
    },
    shutdown: async () => void (await Promise.all(underWay)),
  }
}
