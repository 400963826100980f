import { samplerNames } from '@pixelmill/engine/tracing'
import { readAs, type Setting, serverUrl } from 'pixelmill/settings/setting'
import { z } from 'zod'

/** `name=value` with commas between, percent-encoded, as W3C Baggage and so OpenTelemetry have it. */
function parsePairs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at).trim()
      if (at < 1 || name === '') throw new Error('must be pairs name=value with commas between')
      return [name, decodeText(pair.slice(at + 1).trim())]
    }),
  )
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a % that is followed by no two hexadecimal digits')
  }
}

const HEADER = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = parsePairs(text)
  if (Object.entries(pairs).some(([name, value]) => !HEADER.test(name) || !HEADER_VALUE.test(value)))
    throw new Error('must have names and values that are possible in HTTP')
  return pairs
}

/** Traces, by the environment variables that OpenTelemetry defines for them. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: serverUrl('http://collector:4318', 'OTEL_EXPORTER_OTLP_HEADERS has keys').optional(),
    otherwise: 'no traces',
    description: 'Address of a trace collector, which gets OTLP over HTTP at /v1/traces below it. Needs `npm ci --prefix otel`.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().default('').transform(readAs(parseHeaders)),
    otherwise: 'none',
    description: 'Headers for the collector, such as authorization=Bearer%20KEY, separated by commas.',
    secret: true,
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().default('pixelmill'),
    otherwise: 'pixelmill',
    description: 'Name of the service in traces.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: z.string().default('').transform(readAs(parsePairs)),
    otherwise: 'none',
    description: 'Further attributes, such as deployment.environment.name=production,host.name=a1.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z.enum(samplerNames, `must be one of ${samplerNames.join(', ')}`).default('parentbased_always_on'),
    otherwise: 'parentbased_always_on',
    description: `Which traces are sent: ${samplerNames.join(', ')}. parentbased follows the caller's traceparent.`,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .refine((text) => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1, 'must be a number from 0 to 1')
      .transform(Number)
      .default(1),
    otherwise: '1',
    description: 'Fraction of traces for traceidratio, from 0 to 1.',
  },
} as const satisfies Record<string, Setting>
