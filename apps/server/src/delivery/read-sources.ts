import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { segmentsOf } from './address.ts'
import type { Place, Source } from './source.ts'

/** Sources of accounts that are disabled or deleted are none. */
export async function readSource(db: Kysely<Schema>, name: string): Promise<Source | undefined> {
  const row = await db
    .selectFrom('source')
    .innerJoin('account', 'account.id', 'source.account_id')
    .selectAll('source')
    .select(['account.role', 'account.delivery_places'])
    .where('source.name', '=', name)
    .where('account.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const purges = await db.selectFrom('source_purge').selectAll().where('source', '=', name).execute()
  const secrets = [row.secret, row.previous_secret].filter((secret) => secret !== null)
  return {
    name,
    accountId: row.account_id,
    granted: row.role === 'admin' ? undefined : row.delivery_places,
    place: row.place as Place,
    maxAgeSeconds: row.max_age,
    unsigned: row.unsigned,
    clientHints: row.client_hints,
    cacheControl: row.cache_control,
    fallback: row.fallback === null ? undefined : segmentsOf(row.fallback),
    svg: row.svg,
    secrets: secrets.map((secret) => Buffer.from(secret, 'base64url')),
    generation: row.generation,
    purged: new Map(purges.map(({ path, generation }) => [path, generation])),
  }
}

export async function namesOfAdministrators(db: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('source')
    .innerJoin('account', 'account.id', 'source.account_id')
    .select('source.name')
    .where('account.role', '=', 'admin')
    .execute()
  return rows.map(({ name }) => name)
}
