import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StartError } from '../contract/start-error.ts'

/** What is used of OpenTelemetry's packages, which are no part of an installation, and so have no types here. */
export interface Sdk {
  readonly api: {
    readonly ROOT_CONTEXT: SdkContext
    readonly SpanKind: Readonly<Record<'INTERNAL' | 'SERVER' | 'CLIENT' | 'CONSUMER', number>>
    readonly SpanStatusCode: { readonly ERROR: number }
    readonly trace: {
      setSpan(context: SdkContext, span: SdkSpan): SdkContext
      setSpanContext(context: SdkContext, span: SpanContext & { readonly isRemote: true }): SdkContext
    }
  }
  readonly trace: {
    readonly TracerProvider: new (options: object) => SdkProvider
    readonly BatchSpanProcessor: new (options: object) => object
    readonly AlwaysOnSampler: new () => object
    readonly AlwaysOffSampler: new () => object
    readonly TraceIdRatioBasedSampler: new (ratio: number) => object
    readonly ParentBasedSampler: new (options: { readonly root: object }) => object
  }
  readonly resources: { resourceFromAttributes(attributes: Readonly<Record<string, string | number>>): object }
  readonly transformer: {
    readonly ProtobufTraceSerializer: { serializeRequest(spans: readonly object[]): Uint8Array<ArrayBuffer> | undefined }
  }
}

export type SdkContext = object

export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

export interface SdkSpan {
  spanContext(): SpanContext
  setAttribute(name: string, value: string | number | boolean): void
  setStatus(status: { readonly code: number }): void
  end(at?: number): void
}

export interface SdkTracer {
  startSpan(name: string, options: object, context: SdkContext): SdkSpan
}

export interface SdkProvider {
  getTracer(name: string, version: string): SdkTracer
  /** Sends what waits. */
  shutdown(): Promise<void>
}

const root = join(import.meta.dirname, '../..')

/** Where `npm ci --prefix otel` puts them, and where an installation of one's own may have them. */
const folders = ['otel/node_modules', 'node_modules'].map((folder) => join(root, folder, '@opentelemetry'))

/** Loads them: 140 ms of processor time and 42 MB. @throws StartError when they are not installed */
export function loadSdk(): Sdk {
  const folder = folders.find((path) => existsSync(join(path, 'otlp-transformer/package.json')))
  if (folder === undefined)
    throw new StartError(
      'OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: run `npm ci --prefix otel` in the folder of the program.',
    )
  const load = createRequire(join(folder, 'package.json'))
  return {
    api: load('@opentelemetry/api') as Sdk['api'],
    trace: load('@opentelemetry/sdk-trace') as Sdk['trace'],
    resources: load('@opentelemetry/resources') as Sdk['resources'],
    transformer: load('@opentelemetry/otlp-transformer') as Sdk['transformer'],
  }
}
