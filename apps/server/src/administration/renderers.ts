import { MiB } from '@pixelmill/codecs/contract/limits'
import { heicWriters } from '@pixelmill/codecs/programs'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { laneNames } from '@pixelmill/engine/rendering/pool'
import { z } from 'zod'
import { count, definePart, failing, metricValues, note, total } from './part.ts'

const lane = z.object({
  name: z
    .enum(laneNames)
    .describe(
      'sync: short interactive work; long: long interactive work; background: batches and other background work; model: tasks that run models.',
    ),
  processes: count.describe('Processes that are ready; except in sync, they are started on demand.'),
  busy: count,
  waiting: count.describe('Images waiting for a renderer.'),
  mostWaiting: count
    .nullable()
    .describe(
      'Maximum number of waiting images; beyond it new ones are refused. sync and long share this limit. Null if unlimited.',
    ),
  longestSeconds: z.number().min(0).describe('Longest current rendering time.'),
  atWork: z.array(z.object({ operation: z.string(), images: count })),
})

const stateOf = (pool: Pool, name: (typeof laneNames)[number], mostWaiting: number | null) => {
  const { renderers: processes, busy, queued: waiting } = pool.state(name)
  const jobs = pool.atWork(name)
  const byTask = Object.entries(Object.groupBy(jobs, ({ task }) => task))
  return {
    name,
    processes,
    busy,
    waiting,
    mostWaiting,
    longestSeconds: Math.round(Math.max(0, ...jobs.map(({ seconds }) => seconds)) * 10) / 10,
    atWork: byTask.map(([operation, same = []]) => ({ operation, images: same.length })),
  }
}

export const renderers = definePart({
  shape: z.object({
    configured: count.describe('Number of renderers in sync and in background; long may have one more, model has one.'),
    ready: z.boolean().describe('Whether interactive requests can be processed.'),
    full: z.boolean().describe('Whether new requests are refused with server_busy.'),
    memoryLimitBytes: count.describe('Memory limit of one renderer.'),
    heicWriter: z.enum([...heicWriters]),
    cjxl: z.boolean().describe('Whether JPEGs become JPEG XL without loss: the program cjxl is installed.'),
    lanes: z.array(lane),
    replaced: z.array(z.object({ reason: z.string(), times: count })).describe('Renderers replaced since the start, by reason.'),
    measures: z
      .object({ holding: z.array(z.string()), lacking: z.array(z.string()) })
      .describe('Sandbox measures in effect, and those that this machine lacks.'),
  }),
  async read({ pool, config, renderers: { finishers, confinement }, metrics }) {
    const restarts = await metricValues(metrics.registry, 'renderer_restarts_total')
    const reasons = Object.entries(Object.groupBy(restarts, ({ labels }) => String(labels.reason)))
    const measures = (holds: boolean) => Object.keys(confinement).filter((name) => confinement[name] === holds)
    return {
      configured: config.RENDERERS,
      ready: pool.ready(),
      full: pool.full(),
      memoryLimitBytes: config.RENDER_MEMORY_MB * MiB,
      heicWriter: finishers.programs.heicWriter,
      cjxl: finishers.programs.cjxl,
      lanes: laneNames.map((name) => stateOf(pool, name, name === 'sync' || name === 'long' ? config.RENDER_QUEUE : null)),
      replaced: reasons.map(([reason, values = []]) => ({ reason, times: total(values) })),
      measures: { holding: measures(true), lacking: measures(false) },
    }
  },
  concerns: ({ ready, full, measures: { lacking } }) => [
    ...(ready ? [] : [failing('No renderer can work: images are refused until one has started. The log says why they end.')]),
    ...(full
      ? [failing('As many images wait as may: new ones are refused with server_busy. More RENDERERS or more servers help.')]
      : []),
    ...(lacking.length > 0
      ? [note(`This machine lacks what would confine renderers further: ${lacking.join(', ')}. docs/security.md explains it.`)]
      : []),
  ],
})
