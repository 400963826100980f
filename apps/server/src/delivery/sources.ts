import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, type Selectable, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import type { SourceTable } from '../database/source-tables.ts'
import { encodedPath, signText } from './address.ts'
import { newSecret, nextChange } from './save-source.ts'
import type { Place, ShownSource } from './source.ts'

/** The sources of an account, by name. */
export async function listSources(db: Kysely<Schema>, accountId: string): Promise<readonly ShownSource[]> {
  return await sourcesOf(db, accountId, undefined)
}

/** @throws ApiError source_not_found */
export async function showSource(db: Kysely<Schema>, accountId: string, name: string): Promise<ShownSource> {
  const [source] = await sourcesOf(db, accountId, name)
  if (!source) throw new ApiError('source_not_found')
  return source
}

/** Its cached results are removed by housekeeping. @throws ApiError source_not_found */
export async function removeSource(db: Kysely<Schema>, accountId: string, name: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await nextChange(tx)
    const { numDeletedRows } = await tx.deleteFrom('source').where(isOwned(accountId, name)).executeTakeFirst()
    if (numDeletedRows === 0n) throw new ApiError('source_not_found')
  })
}

/** A new secret; the one before it stays valid until the next. @throws ApiError source_not_found */
export async function rotateSecret(db: Kysely<Schema>, accountId: string, name: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await nextChange(tx)
    const row = await tx
      .updateTable('source')
      .set(({ ref }) => ({ previous_secret: ref('secret'), secret: newSecret() }))
      .where(isOwned(accountId, name))
      .returning('secret')
      .executeTakeFirst()
    if (!row) throw new ApiError('source_not_found')
    return row.secret
  })
}

/**
 * Makes all servers forget the results of a source, or of one path of it.
 * @param path decoded @throws ApiError source_not_found
 */
export async function purge(db: Kysely<Schema>, accountId: string, name: string, path?: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const generation = await nextChange(tx)
    const foundRow = await tx.selectFrom('source').select('name').where(isOwned(accountId, name)).forUpdate().executeTakeFirst()
    if (!foundRow) throw new ApiError('source_not_found')
    const { count } = await tx
      .selectFrom('source_purge')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('source', '=', name)
      .executeTakeFirstOrThrow()
    if (path === undefined || Number(count) >= limits.delivery.purgedPaths) {
      await tx.updateTable('source').set({ generation }).where('name', '=', name).execute()
      await tx.deleteFrom('source_purge').where('source', '=', name).execute()
      return
    }
    await tx
      .insertInto('source_purge')
      .values({ source: name, path, generation })
      .onConflict((conflict) => conflict.columns(['source', 'path']).doUpdateSet({ generation }))
      .execute()
  })
}

/** Signs URLs below a source. */
export interface SourceSigner {
  /** Whether it gives URLs a width or dpr that they do not have. */
  readonly followsHints: boolean
  /** @param path decoded @returns the URL from /i/ on */
  sign(path: string, query: string): string
}

/** @throws ApiError source_not_found */
export async function sourceSigner(db: Kysely<Schema>, accountId: string, name: string): Promise<SourceSigner> {
  const row = await db.selectFrom('source').select(['secret', 'client_hints']).where(isOwned(accountId, name)).executeTakeFirst()
  if (!row) throw new ApiError('source_not_found')
  const secret = Buffer.from(row.secret, 'base64url')
  return {
    followsHints: row.client_hints,
    sign(path, query) {
      const place = `/i/${name}/${encodedPath(path)}`
      return signText(query === '' ? place : `${place}?${query}`, secret)
    },
  }
}

const isOwned = (accountId: string, name: string) => sql<boolean>`name = ${name} and account_id = ${accountId}`

interface Used {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
}

async function sourcesOf(db: Kysely<Schema>, accountId: string, name: string | undefined): Promise<readonly ShownSource[]> {
  const rows = await db
    .selectFrom('source')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .orderBy('name')
    .execute()
  const usedNumbers = await db
    .selectFrom('source_day')
    .select(['source'])
    .select(({ fn }) => [
      fn.sum<number>('hits').as('hits'),
      fn.sum<number>('misses').as('misses'),
      fn.sum<number>('bytes').as('bytes'),
    ])
    .where('account_id', '=', accountId)
    .where('day', '>', sql<string>`(clock_timestamp() at time zone 'utc')::date - 30`)
    .groupBy('source')
    .execute()
  const bySource = new Map(usedNumbers.map(({ source, ...sums }) => [source, sums]))
  return rows.map((row) => entryOf(row, bySource.get(row.name)))
}

function entryOf(row: Selectable<SourceTable>, usedNumbers: Used = { hits: 0, misses: 0, bytes: 0 }): ShownSource {
  const [hits, misses, bytes] = [usedNumbers.hits, usedNumbers.misses, usedNumbers.bytes].map(Number) as [number, number, number]
  const rest = {
    name: row.name,
    maxAgeSeconds: row.max_age,
    unsigned: row.unsigned,
    clientHints: row.client_hints,
    cacheControl: row.cache_control,
    ...(row.fallback !== null && { fallback: row.fallback }),
    svg: row.svg,
    updatedAt: row.updated_at.toISOString(),
    usage: { hits, misses, bytes },
  }
  const place = row.place as Place
  if (place.type === 'folder') return { ...place, ...rest }
  if (place.type === 'web') {
    const { type, baseUrl, redirects = 0, headers } = place
    return { type, baseUrl, redirects, headerNames: [...(headers?.names ?? [])], ...rest }
  }
  const { key, ...where } = place
  const { endpoint, region, accessKeyId } = key ?? {}
  return {
    ...where,
    ...rest,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(accessKeyId !== undefined && { accessKeyId }),
  }
}
