import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Outbound } from './outbound/outbound.ts'
import { openTracing, type Tracing } from './tracing/open-tracing.ts'
import { VERSION } from './version.ts'

/** While a collector is away each batch fails: one line a minute tells enough. */
const QUIET_MS = 60_000
/** The SDK's own limit. */
const DEADLINE_MS = 10_000
/** Of an answer nothing is needed but its status. */
const NO_BYTES = 0

/**
 * Traces, sent through the only way to other servers; undefined where none are asked for.
 * @throws StartError when what they need is not installed
 */
export function sendTraces(config: Config, { operatorFetch }: Pick<Outbound, 'operatorFetch'>, log: Log): Tracing | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: given } = config
  if (endpoint === undefined) return undefined
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const headers = { ...given, 'content-type': 'application/x-protobuf', 'user-agent': `Pixelmill/${VERSION}` }
  let lost = 0
  let told = Number.NEGATIVE_INFINITY
  return openTracing(
    {
      sampler: config.OTEL_TRACES_SAMPLER,
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
      serviceName: config.OTEL_SERVICE_NAME,
      version: VERSION,
      resource: config.OTEL_RESOURCE_ATTRIBUTES,
    },
    async (body) => {
      const request = { method: 'POST', headers, body, deadlineMs: DEADLINE_MS, maxBytes: NO_BYTES } as const
      const response = await operatorFetch(url, request)
      response.discard()
      return response.status
    },
    (spans, why) => {
      lost += spans
      if (performance.now() - told < QUIET_MS) return
      told = performance.now()
      log.warn(
        { err: why instanceof Error ? why : undefined, why: String(why), spans: lost },
        'traces are lost: the collector does not take them',
      )
      lost = 0
    },
  )
}
