import { z } from 'zod'
import { PRESENCE_LOCK } from '../../../../metering/presence.ts'
import { count, definePart, moment } from './part.ts'

/** Whoever holds a lock of presence is a server that lives; of two numbers, PostgreSQL calls the second objid. */
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
        since: moment.nullable().describe('When it connected to the database; null where the database does not tell.'),
        address: z.string().nullable().describe('As the database sees it; null over a socket of the same machine.'),
      }),
    )
    .describe('Processes that work on this database, workers among them.'),
  async read({ database, presence }) {
    const { rows } = await database.pool.query<Row>(PRESENT, [PRESENCE_LOCK])
    return rows.map(({ number, since, address }) => ({
      number,
      isThis: number === presence.server,
      since: since?.toISOString() ?? null,
      address,
    }))
  },
})
