import { availableParallelism, hostname } from 'node:os'
import { VERSION } from '@pixelmill/engine/version'
import { z } from 'zod'
import { INSTANCE_LOCK } from '../metering/instance.ts'
import { count, definePart, metricValues, moment, total, warning } from './part.ts'

export const server = definePart({
  shape: z
    .object({
      version: z.string(),
      node: z.string(),
      role: z.enum(['all', 'api', 'worker']),
      host: z.string(),
      cores: count,
      number: count.describe("Number of this server's instance lock."),
      seen: z.boolean().describe('Whether it holds this lock now.'),
      startedAt: moment,
      memoryBytes: count.describe('Memory of this process, without its renderers.'),
      answers: z
        .object({ good: count, refused: count.describe('4xx'), failed: count.describe('5xx') })
        .describe('Requests since the start, including pages of the dashboard.'),
    })
    .describe('The process that answers this request.'),
  async read({ config, instance, metrics }) {
    const requests = await metricValues(metrics.registry, 'http_requests_total')
    const ofStatus = (from: number, to: number) =>
      total(requests.filter(({ labels }) => Number(labels.status) >= from && Number(labels.status) < to))
    return {
      version: VERSION,
      node: process.versions.node,
      role: config.ROLE,
      host: hostname(),
      cores: availableParallelism(),
      number: instance.server,
      seen: instance.held(),
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

/** Each running server holds an advisory lock; its second number, objid in pg_locks, is the number of the server. */
const PRESENT = `
  select l.objid::int as number, a.backend_start as since, host(a.client_addr) as address
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.classid = $1 and l.objsubid = 2 and l.granted
     and l.database = (select oid from pg_database where datname = current_database())
   order by l.objid`

interface Row {
  readonly number: number
  readonly since: Date | null
  readonly address: string | null
}

export const servers = definePart({
  shape: z
    .array(
      z.object({
        number: count,
        isThis: z.boolean(),
        since: moment.nullable().describe('When it connected to the database; null if the database does not report it.'),
        address: z.string().nullable().describe('Client address as the database reports it; null for a local socket.'),
      }),
    )
    .describe('Processes that use this database, including workers.'),
  async read({ database, instance }) {
    const { rows } = await database.pool.query<Row>(PRESENT, [INSTANCE_LOCK])
    return rows.map(({ number, since, address }) => ({
      number,
      isThis: number === instance.server,
      since: since?.toISOString() ?? null,
      address,
    }))
  },
})
