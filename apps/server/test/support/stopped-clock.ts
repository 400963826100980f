import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../src/database/database.ts'
import type { Schema } from '../../src/database/schema.ts'

export interface StoppedClock {
  readonly kysely: Kysely<Schema>
  readonly pool: Pick<pg.Pool, 'query'>
}

/** Does work on a connection for which it is always `now`: the two functions of the clock are found before PostgreSQL's own. */
export async function whenItIs<Result>(
  database: Database,
  now: Date,
  work: (stoppedClock: StoppedClock) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect()
  try {
    await client.query('create schema if not exists stopped')
    for (const name of ['now', 'clock_timestamp'])
      await client.query(
        `create or replace function stopped.${name}() returns timestamptz language sql stable as $$select current_setting('stopped.now')::timestamptz$$`,
      )
    await client.query("select set_config('stopped.now', $1, false)", [now.toISOString()])
    await client.query('set search_path = stopped, pg_catalog, public')
    const connection = Object.assign(client, { release: () => {} })
    const pool = { connect: async () => connection, end: async () => {}, options: {} }
    return await work({
      kysely: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
      pool: client as StoppedClock['pool'],
    })
  } finally {
    await client.end()
  }
}
