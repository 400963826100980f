import { type LaneName, laneNames, type PoolEvents } from '@pixelmill/engine/rendering/pool'
import type { Meter, Watched } from './meter.ts'

/** Metrics of requests and their answers. The label of a route is its pattern, never the requested path. */
export interface HttpMetrics {
  /** Called when a request arrives; the returned function is called when its answer was sent, or its client disconnected. */
  onRequest(): () => void
  onResponse(response: {
    readonly route: string
    readonly status: number
    readonly seconds: number
    /** The error identifier, if it was an error. */
    readonly error?: string | null
  }): void
  onPasswordDerivation(): void
}

/** Few, as each route has them all. */
const REQUEST_SECONDS = [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 120]

export function httpMetrics(meter: Meter, parts: Partial<Watched>): HttpMetrics {
  const durations = meter.histogram('http_request_seconds', 'Duration of HTTP requests.', ['route'], REQUEST_SECONDS)
  const requests = meter.counter('http_requests_total', 'Answered HTTP requests.', ['route', 'status'])
  const errors = meter.counter('errors_total', 'Error answers, by identifier: docs/errors.md.', ['error'])
  const underWay = meter.gauge('http_requests_in_flight', 'HTTP requests in progress.')
  const derivations = meter.counter('password_derivations_total', 'Passwords hashed or verified.')
  meter.number('event_streams_open', 'Open event streams of batches.', () => parts.batchWatch?.followers())
  meter.number('downloads_open', 'Downloads of batch results in progress.', () => parts.downloads?.count())
  return {
    onRequest() {
      underWay.inc()
      return () => underWay.dec()
    },
    onResponse({ route, status, seconds, error }) {
      durations.observe({ route }, seconds)
      requests.inc({ route, status })
      if (error) errors.inc({ error })
    },
    onPasswordDerivation: () => derivations.inc(),
  }
}

/** Metrics of images and their results. */
export interface ImageMetrics {
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
}

export function imageMetrics(meter: Meter): ImageMetrics {
  const input = meter.counter('image_input_bytes_total', 'Bytes of processed images.', ['operation'])
  const output = meter.counter('image_output_bytes_total', 'Bytes of images sent.', ['operation'])
  const pixels = meter.counter('image_output_pixels_total', 'Pixels of images sent, counting one frame each.', ['operation'])
  const batchImages = meter.counter('batch_images_total', 'Images of batches: converted, failed, or crashed and retried.', [
    'state',
  ])
  const onImage: ImageMetrics['onImage'] = ({ operation, ...image }) => {
    input.inc({ operation }, image.inputBytes)
    output.inc({ operation }, image.outputBytes)
    pixels.inc({ operation }, image.pixels)
  }
  return {
    onImage,
    onBatchImage({ state, inputBytes, outputBytes = 0, width = 0, height = 0 }) {
      batchImages.inc({ state })
      if (state === 'converted') onImage({ operation: 'convert', inputBytes, outputBytes, pixels: width * height })
    },
  }
}

/** Metrics of the renderers and of the queues in front of them. */
export interface RenderMetrics {
  readonly onRender: PoolEvents['onRender']
  onRestart(reason: string, lane: LaneName): void
  /** Called once at the start, with the sandbox measures in effect. */
  onConfinement(confinement: Readonly<Record<string, boolean>>): void
}

export function renderMetrics(meter: Meter, parts: Partial<Watched>): RenderMetrics {
  const durations = meter.histogram('render_seconds', 'Rendering time of an image.', ['operation', 'lane'])
  const renders = meter.counter('renders_total', 'Rendered images, by outcome: the kind of result, or the error.', [
    'operation',
    'outcome',
  ])
  const waits = meter.histogram('render_wait_seconds', 'Time of an image in the queue before rendering.', ['lane'])
  const restarts = meter.counter('renderer_restarts_total', 'Renderer processes replaced, by reason.', ['reason', 'lane'])
  const confinedGauge = meter.gauge(
    'renderer_confinement',
    'Whether a confinement measure of renderers works on this machine: 1 or 0.',
    ['measure'],
  )
  renderGauges(meter, parts)
  return {
    onRender({ task: operation, outcome, waitSeconds, renderSeconds }, lane) {
      durations.observe({ operation, lane }, renderSeconds)
      renders.inc({ operation, outcome })
      waits.observe({ lane }, waitSeconds)
    },
    onRestart: (reason, lane) => restarts.inc({ reason, lane }),
    onConfinement(confinement) {
      for (const [measure, holds] of Object.entries(confinement)) confinedGauge.set({ measure }, Number(holds))
    },
  }
}

type LaneRow = readonly [name: string, help: string, read: (pool: Watched['pool'], lane: LaneName) => number]

const laneRows: readonly LaneRow[] = [
  ['render_queue_length', 'Images waiting for a renderer.', (pool, lane) => pool.state(lane).queued],
  [
    'render_queue_oldest_seconds',
    'Longest current wait for a renderer; 0 if no image waits.',
    (pool, lane) => pool.state(lane).oldestSeconds,
  ],
  ['renderers_busy', 'Busy renderers.', (pool, lane) => pool.state(lane).busy],
  ['renderers_ready', 'Renderer processes ready for work.', (pool, lane) => pool.state(lane).renderers],
  [
    'render_oldest_seconds',
    'Longest current rendering time; 0 if no image is being rendered.',
    (pool, lane) => Math.max(0, ...pool.atWork(lane).map(({ seconds }) => seconds)),
  ],
]

/** The current state of renderers, read at each scrape. */
function renderGauges(meter: Meter, parts: Partial<Watched>): void {
  for (const [name, help, read] of laneRows) {
    meter.gauge(name, help, ['lane'], (gauge) => {
      const { pool } = parts
      if (pool) for (const lane of laneNames) gauge.set({ lane }, read(pool, lane))
    })
  }
  meter.gauge(
    'renders_at_work',
    'Images being rendered, by operation; operations without images are left out.',
    ['operation', 'lane'],
    (gauge) => {
      gauge.reset()
      for (const lane of laneNames)
        for (const { task: operation } of parts.pool?.atWork(lane) ?? []) gauge.inc({ operation, lane })
    },
  )
  meter.number(
    'renderers_configured',
    'Renderer processes of the lane sync, and the maximum of background: RENDERERS. The lane long has at most one more.',
    () => parts.limits?.renderers,
  )
  meter.number('render_queue_limit', 'Maximum number of waiting images: RENDER_QUEUE.', () => parts.limits?.queue)
}
