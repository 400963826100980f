import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ModelReport, Models } from '../models/models.ts'
import type { LaneName, LanesEvents } from '../rendering/lanes.ts'
import type { Pool } from '../rendering/pool.ts'
import { type AiMetrics, aiMetrics } from './ai-metrics.ts'
import { type BackgroundMetrics, backgroundMetrics } from './background-metrics.ts'
import { renderGauges } from './render-gauges.ts'

/** What an operator sees at GET /metrics, in the words of Prometheus: base units, `_total` for counters. */
export interface Metrics extends AiMetrics, BackgroundMetrics {
  readonly registry: Registry
  readonly onRender: LanesEvents['onRender']
  onRestart(reason: string, lane: LaneName): void
  /** Once, at the start: which measures hold renderers on this machine. */
  onConfinement(confinement: Readonly<Record<string, boolean>>): void
  onResponse(response: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly seconds: number
  }): void
  onImage(image: {
    readonly operation: string
    readonly inputBytes: number
    readonly outputBytes: number
    readonly pixels: number
  }): void
  /** An image of a batch. */
  onBatchImage(result: {
    readonly state: 'converted' | 'failed' | 'crashed'
    readonly inputBytes: number
    readonly outputBytes?: number
    readonly width?: number
    readonly height?: number
  }): void
  onPasswordDerivation(): void
  /** Statistics of calls that could not be written. */
  onUsageLost(events: number): void
  onLedgerChecked(mismatches: number): void
  onJobFailed(job: string): void
  /** One attempt at a webhook; `outcome` is what its delivery is then. */
  onWebhookAttempt(outcome: string): void
  /** Gauges are read when somebody asks. */
  watch(pool: Pool): void
  watchModels(models: Pick<Models, 'reports'>): void
}

const modelStates = ['loading', 'ready', 'failed'] as const satisfies readonly ModelReport['state'][]

/** From a refusal to a picture that is enlarged by a model. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

export function metrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'pixelmill_' })
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name: `pixelmill_${name}`, help, labelNames, registers, buckets: SECONDS })
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `pixelmill_${name}`, help, labelNames, registers })

  const requests = histogram('http_request_seconds', 'Time from request to answer.', ['method', 'route', 'status'])
  const renders = histogram('render_seconds', 'Time of a renderer on one image.', ['operation', 'outcome', 'lane'])
  const waits = histogram('render_wait_seconds', 'Time of an image in the queue.', ['operation', 'lane'])
  const restarts = counter('renderer_restarts_total', 'Renderer processes replaced, by why they ended or were ended.', [
    'reason',
    'lane',
  ])
  const confined = new Gauge({
    name: 'pixelmill_renderer_confinement',
    help: 'Whether a measure that confines renderers works on this machine: 1 or 0.',
    labelNames: ['measure'],
    registers,
  })
  const input = counter('image_input_bytes_total', 'Bytes of images that were processed.', ['operation'])
  const output = counter('image_output_bytes_total', 'Bytes of images that were sent.', ['operation'])
  const pixels = counter('image_output_pixels_total', 'Pixels of images that were sent, one frame each.', ['operation'])
  const batchImages = counter('batch_images_total', 'Images of batches: converted, failed, or crashed and tried again.', [
    'state',
  ])
  const derivations = counter('password_derivations_total', 'Passwords hashed or checked.', [])

  const usageLost = counter('usage_events_lost_total', 'Statistics of calls that could not be written.', [])
  const mismatches = new Gauge({
    name: 'pixelmill_ledger_mismatches',
    help: 'Accounts whose credits are not what their ledger says, at the last check: 0, or somebody must look.',
    registers,
  })
  const jobFailures = counter('job_failures_total', 'Runs of housekeeping jobs that failed.', ['job'])
  const webhookAttempts = counter('webhook_attempts_total', 'Attempts at webhooks, by what their delivery was then.', ['outcome'])

  const onImage: Metrics['onImage'] = ({ operation, ...image }) => {
    input.inc({ operation }, image.inputBytes)
    output.inc({ operation }, image.outputBytes)
    pixels.inc({ operation }, image.pixels)
  }
  return {
    ...aiMetrics(registers),
    ...backgroundMetrics(registers),
    registry,
    onRender({ operation, outcome, waitSeconds, renderSeconds }, lane) {
      renders.observe({ operation, outcome, lane }, renderSeconds)
      waits.observe({ operation, lane }, waitSeconds)
    },
    onRestart: (reason, lane) => restarts.inc({ reason, lane }),
    onConfinement(confinement) {
      for (const [measure, holds] of Object.entries(confinement)) confined.set({ measure }, Number(holds))
    },
    onResponse: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    onImage,
    onBatchImage({ state, inputBytes, outputBytes = 0, width = 0, height = 0 }) {
      batchImages.inc({ state })
      if (state === 'converted') onImage({ operation: 'convert', inputBytes, outputBytes, pixels: width * height })
    },
    watchModels(models) {
      new Gauge({
        name: 'pixelmill_model_state',
        help: 'What a model was found to be when it was last tried: 1 for its state, 0 for the others.',
        labelNames: ['model', 'state'],
        registers,
        collect() {
          for (const [model, report] of Object.entries(models.reports())) {
            for (const state of modelStates) this.set({ model, state }, Number(report.state === state))
          }
        },
      })
    },
    onPasswordDerivation: () => derivations.inc(),
    onUsageLost: (events) => usageLost.inc(events),
    onLedgerChecked: (found) => mismatches.set(found),
    onJobFailed: (job) => jobFailures.inc({ job }),
    onWebhookAttempt: (outcome) => webhookAttempts.inc({ outcome }),
    watch: (pool) => renderGauges(registers, pool),
  }
}
