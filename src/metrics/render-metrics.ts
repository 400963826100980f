import { type LaneName, type LanesEvents, laneNames } from '../rendering/lanes.ts'
import type { Meter } from './meter.ts'
import type { Watched } from './watched.ts'

/** Numbers of the renderers and of the queues in front of them. */
export interface RenderMetrics {
  readonly onRender: LanesEvents['onRender']
  onRestart(reason: string, lane: LaneName): void
  /** Once, at the start: which measures hold renderers on this machine. */
  onConfinement(confinement: Readonly<Record<string, boolean>>): void
}

export function renderMetrics(meter: Meter, watched: Partial<Watched>): RenderMetrics {
  const renders = meter.histogram('render_seconds', 'Time of a renderer on one image.', ['operation', 'outcome', 'lane'])
  const waits = meter.histogram('render_wait_seconds', 'Time of an image in the queue.', ['operation', 'lane'])
  const restarts = meter.counter('renderer_restarts_total', 'Renderer processes replaced, by why they ended or were ended.', [
    'reason',
    'lane',
  ])
  const confined = meter.gauge(
    'renderer_confinement',
    'Whether a measure that confines renderers works on this machine: 1 or 0.',
    ['measure'],
  )
  renderGauges(meter, watched)
  return {
    onRender({ operation, outcome, waitSeconds, renderSeconds }, lane) {
      renders.observe({ operation, outcome, lane }, renderSeconds)
      waits.observe({ operation, lane }, waitSeconds)
    },
    onRestart: (reason, lane) => restarts.inc({ reason, lane }),
    onConfinement(confinement) {
      for (const [measure, holds] of Object.entries(confinement)) confined.set({ measure }, Number(holds))
    },
  }
}

type LaneRow = readonly [name: string, help: string, read: (pool: Watched['pool'], lane: LaneName) => number]

const laneRows: readonly LaneRow[] = [
  ['render_queue_length', 'Images that wait for a renderer.', (pool, lane) => pool.state(lane).queued],
  [
    'render_queue_oldest_seconds',
    'How long the image has waited for a renderer that has for longest; 0 where none waits.',
    (pool, lane) => pool.state(lane).oldestSeconds,
  ],
  ['renderers_busy', 'Renderers at work.', (pool, lane) => pool.state(lane).busy],
  ['renderers_ready', 'Renderer processes that can work.', (pool, lane) => pool.state(lane).renderers],
  [
    'render_oldest_seconds',
    'How long the image is at work that has been for longest; 0 where none is.',
    (pool, lane) => Math.max(0, ...pool.atWork(lane).map(({ seconds }) => seconds)),
  ],
]

/** What renderers are doing, read when somebody asks. */
function renderGauges(meter: Meter, watched: Partial<Watched>): void {
  for (const [name, help, read] of laneRows) {
    meter.gauge(name, help, ['lane'], (gauge) => {
      const { pool } = watched
      if (pool) for (const lane of laneNames) gauge.set({ lane }, read(pool, lane))
    })
  }
  meter.gauge(
    'renders_at_work',
    'Images at work, by what is done to them; what is not done to any is left out.',
    ['operation', 'lane'],
    (gauge) => {
      gauge.reset()
      for (const lane of laneNames) for (const { operation } of watched.pool?.atWork(lane) ?? []) gauge.inc({ operation, lane })
    },
  )
  meter.number(
    'renderers_configured',
    'Renderer processes of the lane sync, and at most of background: RENDERERS. The lane long has up to one more.',
    () => watched.limits?.renderers,
  )
  meter.number(
    'render_queue_limit',
    'Images that may wait for an answer; further ones are refused: RENDER_QUEUE.',
    () => watched.limits?.queue,
  )
}
