import { z } from 'zod'
import { heicWriters } from '../../codecs/heic/writers.ts'
import { MiB } from '../../contract/limits.ts'
import type { Pool } from '../../rendering/pool.ts'
import { laneNames } from '../../rendering/pool.ts'
import { count, definePart, failing, metricValues, note, total } from './part.ts'

const lane = z.object({
  name: z
    .enum(laneNames)
    .describe(
      'sync: short work that a caller waits for; long: long work that a caller waits for; background: batches and what is done behind all callers; model: those that run models.',
    ),
  processes: count.describe('That can work; all but those of sync are started when there is work for them.'),
  busy: count,
  waiting: count.describe('Images that wait for one.'),
  mostWaiting: count
    .nullable()
    .describe('Beyond, new ones are refused; sync and long share these places. Null where there is no such limit.'),
  longestSeconds: z.number().min(0).describe('How long the image is at work that has been for longest.'),
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
    configured: count.describe('Processes of sync and background; long may have one more, model has one.'),
    ready: z.boolean().describe('Whether images that somebody waits for can be worked on.'),
    full: z.boolean().describe('Whether new ones are refused with server_busy.'),
    memoryLimitBytes: count.describe('What one may have at most.'),
    heicWriter: z.enum([...heicWriters]),
    lanes: z.array(lane),
    replaced: z.array(z.object({ reason: z.string(), times: count })).describe('Processes replaced since the start, by why.'),
    measures: z.object({ holding: z.array(z.string()), lacking: z.array(z.string()) }).describe('What confines them.'),
  }),
  async read({ pool, config, renderers: { heicWriter, confinement }, metrics }) {
    const restarts = await metricValues(metrics.registry, 'renderer_restarts_total')
    const reasons = Object.entries(Object.groupBy(restarts, ({ labels }) => String(labels.reason)))
    const measures = (holds: boolean) => Object.keys(confinement).filter((name) => confinement[name] === holds)
    return {
      configured: config.RENDERERS,
      ready: pool.ready(),
      full: pool.full(),
      memoryLimitBytes: config.RENDER_MEMORY_MB * MiB,
      heicWriter,
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
