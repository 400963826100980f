import type { Sdk } from './sdk.ts'

/** Which traces are sent, in the words of OpenTelemetry. */
export const samplers = {
  always_on: ({ AlwaysOnSampler }) => new AlwaysOnSampler(),
  always_off: ({ AlwaysOffSampler }) => new AlwaysOffSampler(),
  traceidratio: ({ TraceIdRatioBasedSampler }, ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: ({ ParentBasedSampler, AlwaysOnSampler }) => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: ({ ParentBasedSampler, AlwaysOffSampler }) => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: ({ ParentBasedSampler, TraceIdRatioBasedSampler }, ratio) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} as const satisfies Record<string, (sdk: Sdk['trace'], ratio: number) => object>

export type SamplerName = keyof typeof samplers

export const samplerNames = Object.keys(samplers) as [SamplerName, ...SamplerName[]]
