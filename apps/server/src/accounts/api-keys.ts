import { hash, randomInt } from 'node:crypto'
import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { inOrder, missingScope, type Scope, scopeList, USUAL_SCOPES } from '../contract/scopes.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_LENGTH = 48
const SHOWN_PREFIX = 7

/** The key has 285 random bits and cannot be guessed, so a plain hash is enough. */
export const makeApiKey = (): string =>
  `sk_${Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`

export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Saves a key for an account, as its hash and what a list may show of it; returns its id. */
export async function saveApiKey(
  db: Kysely<Schema>,
  accountId: string,
  name: string,
  key: string,
  scopes: readonly Scope[] = USUAL_SCOPES,
): Promise<string> {
  const { id } = await db
    .insertInto('api_key')
    .values({
      account_id: accountId,
      name,
      hash: hashApiKey(key),
      prefix: key.slice(0, SHOWN_PREFIX),
      last_four: key.slice(-4),
      scopes: [...scopes],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a list shows of a key. */
export const keyEntry = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().describe('Its first seven characters.'),
    lastFour: z.string().describe('Its last four characters.'),
    scopes: scopeList,
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().describe('To the minute; null when it was never used.'),
  })
  .meta(component('ApiKey'))

export type KeyEntry = z.output<typeof keyEntry>

const COLUMNS = ['id', 'name', 'prefix', 'last_four', 'scopes', 'created_at', 'last_used_at'] as const

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly scopes: readonly Scope[]
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const toEntry = ({ id, name, prefix, last_four, scopes, created_at, last_used_at }: KeyRow): KeyEntry => ({
  id,
  name,
  prefix,
  lastFour: last_four,
  scopes: [...scopes],
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
})

/** Keys of an account that are not revoked, newest first. */
export async function listKeys(db: Kysely<Schema>, accountId: string): Promise<readonly KeyEntry[]> {
  const rows = await liveKeys(db, accountId).select(COLUMNS).orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(toEntry)
}

/**
 * Creates a key; only this answer shows it.
 * @throws ApiError too_many_api_keys
 */
export function makeKey(
  db: Kysely<Schema>,
  actor: Actor,
  accountId: string,
  { name, scopes }: { readonly name: string; readonly scopes: readonly Scope[] },
): Promise<KeyEntry & { readonly key: string }> {
  return db.transaction().execute(async (tx) => {
    // The lock ensures that concurrent requests cannot exceed the limit.
    await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    const { live } = await liveKeys(tx, accountId)
      .select(({ fn }) => fn.countAll<number>().as('live'))
      .executeTakeFirstOrThrow()
    if (live >= limits.apiKeys) throw new ApiError('too_many_api_keys')
    const key = makeApiKey()
    const ownScopes = inOrder(scopes)
    const id = await saveApiKey(tx, accountId, name, key, ownScopes)
    const row = await tx.selectFrom('api_key').select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow()
    await record(tx, actor, 'api_key_made', accountId, { keyId: id, name, scopes: ownScopes })
    return { ...toEntry(row), key }
  })
}

/** @throws ApiError not_found when it is no live key of this account, or no id at all */
export async function renameKey(db: Kysely<Schema>, accountId: string, id: string, name: string): Promise<KeyEntry> {
  const row = await ownKey(db, accountId, id).set({ name }).returning(COLUMNS).executeTakeFirst()
  if (!row) throw new ApiError('not_found')
  return toEntry(row)
}

/**
 * Every admission queries the database, so the next call is refused on every server.
 * @throws ApiError not_found when it is no live key of this account, or no id at all
 */
export function revokeKey(db: Kysely<Schema>, actor: Actor, accountId: string, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await ownKey(tx, accountId, id)
      .set({ revoked_at: sql<Date>`clock_timestamp()` })
      .returning('name')
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    await tx.deleteFrom('request_window').where('caller', '=', id).execute()
    await record(tx, actor, 'api_key_revoked', accountId, { keyId: id, name: row.name })
  })
}

/**
 * For work that a tool of an agent does without a request of its own.
 * @throws ApiError forbidden where the key has none of the scopes
 */
export async function requireScope(db: Kysely<Schema>, keyHash: Buffer, acceptedScopes: readonly Scope[]): Promise<void> {
  const row = await db.selectFrom('api_key').select('scopes').where('hash', '=', keyHash).executeTakeFirst()
  if (!row || !acceptedScopes.some((name) => row.scopes.includes(name)))
    throw new ApiError('forbidden', { message: missingScope(acceptedScopes) })
}

const liveKeys = (db: Kysely<Schema>, accountId: string) =>
  db.selectFrom('api_key').where('account_id', '=', accountId).where('revoked_at', 'is', null)

/** PostgreSQL refuses to compare anything else with a UUID. */
const isId = (text: string): boolean => z.uuid().safeParse(text).success

function ownKey(db: Kysely<Schema>, accountId: string, id: string) {
  if (!isId(id)) throw new ApiError('not_found')
  return db.updateTable('api_key').where('id', '=', id).where('account_id', '=', accountId).where('revoked_at', 'is', null)
}
