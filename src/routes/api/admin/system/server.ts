import { availableParallelism, hostname } from 'node:os'
import { z } from 'zod'
import { VERSION } from '../../../../version.ts'
import { metricValues, total } from './metric-values.ts'
import { count, definePart, moment, warning } from './part.ts'

export const server = definePart({
  shape: z
    .object({
      version: z.string(),
      node: z.string(),
      role: z.enum(['all', 'api', 'worker']),
      host: z.string(),
      cores: count,
      number: count.describe('Under which other servers see this one.'),
      seen: z.boolean().describe('Whether they do now.'),
      startedAt: moment,
      memoryBytes: count.describe('Of this process alone, without its renderers.'),
      answers: z
        .object({ good: count, refused: count.describe('4xx'), failed: count.describe('5xx') })
        .describe('Since the start, pages of the dashboard among them.'),
    })
    .describe('The process that answers.'),
  async read({ config, presence, metrics }) {
    const requests = await metricValues(metrics.registry, 'http_request_seconds')
    const ofStatus = (from: number, to: number) =>
      total(requests.filter(({ labels }) => Number(labels.status) >= from && Number(labels.status) < to))
    return {
      version: VERSION,
      node: process.versions.node,
      role: config.ROLE,
      host: hostname(),
      cores: availableParallelism(),
      number: presence.server,
      seen: presence.held(),
      startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
      memoryBytes: process.memoryUsage.rss(),
      answers: { good: ofStatus(200, 400), refused: ofStatus(400, 500), failed: ofStatus(500, 600) },
    }
  },
  concerns: ({ seen }) =>
    seen
      ? []
      : [warning('Other servers do not see this one: its own database connection broke. What it works on may be given to them.')],
})
