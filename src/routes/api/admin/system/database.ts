import { z } from 'zod'
import { count, definePart, warning } from './part.ts'

/** Usually it is below 10. A busy machine takes longer now and then; beyond this every call is felt to be slow. */
const SLOW_MS = 1_000

export const database = definePart({
  shape: z.object({
    kind: z.enum(['embedded', 'external']),
    version: z.string(),
    bytes: count.describe('What it takes on its disk.'),
    latencyMs: z.number().min(0).describe('Of one question that needs no work, with the wait for a connection.'),
    connections: z
      .object({ open: count, busy: count, most: count, waiting: count.describe('Questions that wait for one.') })
      .describe('Of this process.'),
  }),
  async read({ database: { pool }, config }) {
    const began = performance.now()
    await pool.query('select 1')
    const latencyMs = Math.round((performance.now() - began) * 100) / 100
    const { rows } = await pool.query<{ version: string; bytes: number }>(
      `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`,
    )
    const [{ version, bytes } = { version: '', bytes: 0 }] = rows
    const { totalCount: open, idleCount, waitingCount: waiting } = pool
    return {
      kind: config.DATABASE_URL === undefined ? ('embedded' as const) : ('external' as const),
      version,
      bytes,
      latencyMs,
      connections: { open, busy: open - idleCount, most: pool.options.max, waiting },
    }
  },
  concerns: ({ latencyMs }) =>
    latencyMs > SLOW_MS
      ? [warning(`The database took ${Math.round(latencyMs)} ms for a question that needs no work: it is busy or far away.`)]
      : [],
})
