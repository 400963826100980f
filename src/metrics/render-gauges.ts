import { Gauge, type Registry } from 'prom-client'
import { type LaneName, laneNames } from '../rendering/lanes.ts'
import type { Pool } from '../rendering/pool.ts'

/** What renderers are doing, read when somebody asks. */
export function renderGauges(registers: Registry[], pool: Pick<Pool, 'state' | 'atWork'>): void {
  const gauge = (name: string, help: string, read: (lane: LaneName) => number) =>
    new Gauge({
      name: `pixelmill_${name}`,
      help,
      labelNames: ['lane'],
      registers,
      collect() {
        for (const lane of laneNames) this.set({ lane }, read(lane))
      },
    })
  gauge('render_queue_length', 'Images that wait for a renderer.', (lane) => pool.state(lane).queued)
  gauge('renderers_busy', 'Renderers at work.', (lane) => pool.state(lane).busy)
  gauge('renderers_ready', 'Renderer processes that can work.', (lane) => pool.state(lane).renderers)
  gauge('render_oldest_seconds', 'How long the image is at work that has been for longest; 0 where none is.', (lane) =>
    Math.max(0, ...pool.atWork(lane).map(({ seconds }) => seconds)),
  )
  new Gauge({
    name: 'pixelmill_renders_at_work',
    help: 'Images at work, by what is done to them; what is not done to any is left out.',
    labelNames: ['operation', 'lane'],
    registers,
    collect() {
      this.reset()
      for (const lane of laneNames) for (const { operation } of pool.atWork(lane)) this.inc({ operation, lane })
    },
  })
}
