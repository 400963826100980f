import { component } from '@pixelmill/codecs/contract/component'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { type Actor, record } from '../accounts/audit.ts'
import type { AiKeyTable, Schema } from '../database/schema.ts'
import { type KeyVault, maskKey, SavedKeyError } from './key-vault.ts'
import type { SavedProvider } from './provider.ts'

/** A saved key as its owner sees it. */
export const shownKey = z
  .object({
    baseUrl: z.string(),
    model: z.string(),
    apiKey: z.string().describe('Masked: its first six and last four characters; none if it has fewer than 20.'),
    updatedAt: z.iso.datetime(),
  })
  .meta(component('SavedModel'))

export type ShownKey = z.output<typeof shownKey>

/** A saved key as it is stored. */
export interface SavedKey {
  readonly baseUrl: string
  readonly encrypted: string
}

/** Binds a key to account and address: a row changed in the database cannot send the key elsewhere. */
export const holder = (accountId: string, baseUrl: string): string => JSON.stringify([accountId, baseUrl])

/** What is saved on an account; undefined when nothing is. The key stays encrypted. */
export async function showKey(db: Kysely<Schema>, accountId: string): Promise<ShownKey | undefined> {
  const row = await db
    .selectFrom('ai_key')
    .select(['base_url', 'model', 'masked', 'updated_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { baseUrl: row.base_url, model: row.model, apiKey: row.masked, updatedAt: row.updated_at.toISOString() }
}

/** Another model with the key that is saved for this address; undefined when none is. */
export function changeModel(
  db: Kysely<Schema>,
  actor: Actor,
  accountId: string,
  { baseUrl, model }: Pick<SavedProvider, 'baseUrl' | 'model'>,
): Promise<ShownKey | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('ai_key')
      .set({ model, updated_at: sql<Date>`clock_timestamp()` })
      .where('account_id', '=', accountId)
      .where('base_url', '=', baseUrl)
      .returning(['masked', 'updated_at'])
      .executeTakeFirst()
    if (!row) return undefined
    await record(tx, actor, 'ai_key_saved', accountId, { server: new URL(baseUrl).origin, model })
    return { baseUrl, model, apiKey: row.masked, updatedAt: row.updated_at.toISOString() }
  })
}

/** Replaces what was saved before. */
export function saveKey(
  db: Kysely<Schema>,
  vault: KeyVault,
  actor: Actor,
  accountId: string,
  { baseUrl, model, apiKey }: SavedProvider & { readonly apiKey: string },
): Promise<ShownKey> {
  const encryptedKey = vault.encrypt(holder(accountId, baseUrl), apiKey)
  const keyColumns = {
    base_url: baseUrl,
    model,
    encrypted: encryptedKey,
    masked: maskKey(apiKey),
    updated_at: sql<Date>`clock_timestamp()`,
  }
  return db.transaction().execute(async (tx) => {
    const { updated_at } = await tx
      .insertInto('ai_key')
      .values({ account_id: accountId, ...keyColumns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(keyColumns))
      .returning('updated_at')
      .executeTakeFirstOrThrow()
    await record(tx, actor, 'ai_key_saved', accountId, { server: new URL(baseUrl).origin, model })
    return { baseUrl, model, apiKey: keyColumns.masked, updatedAt: updated_at.toISOString() }
  })
}

/** @returns whether there was one */
export function removeKey(db: Kysely<Schema>, actor: Actor, accountId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const removedRow = await tx.deleteFrom('ai_key').where('account_id', '=', accountId).returning('base_url').executeTakeFirst()
    if (!removedRow) return false
    await record(tx, actor, 'ai_key_removed', accountId, { server: new URL(removedRow.base_url).origin })
    return true
  })
}

export async function findKey(db: Kysely<Schema>, accountId: string): Promise<SavedKey | undefined> {
  const row = await db
    .selectFrom('ai_key')
    .select(['base_url', 'encrypted'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { baseUrl: row.base_url, encrypted: row.encrypted }
}

/**
 * The key itself, for one request.
 * @throws SavedKeyError
 */
export const openKey = (vault: KeyVault, accountId: string, { baseUrl, encrypted }: SavedKey): string =>
  vault.decrypt(holder(accountId, baseUrl), encrypted)

/** Keys that are re-encrypted in one query. */
const SLICE = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Re-encrypts with the newest secret what an older one encrypted, so that the older one can be removed.
 * @returns how many, and how many cannot be read because their secret was removed already
 */
export async function renewKeys(
  db: Kysely<Schema>,
  vault: KeyVault,
): Promise<{ readonly renewed: number; readonly unreadable: number }> {
  let renewedCount = 0
  let unreadable = 0
  let after = FIRST_ID
  for (;;) {
    const rows = await db
      .selectFrom('ai_key')
      .select(['account_id', 'base_url', 'encrypted'])
      .where('account_id', '>', after)
      .where(({ fn, val, not }) => not(fn<boolean>('starts_with', ['encrypted', val(vault.newest)])))
      .orderBy('account_id')
      .limit(SLICE)
      .execute()
    for (const row of rows) {
      const isDone = await renew(db, vault, row)
      if (isDone) renewedCount++
      else unreadable++
    }
    const last = rows.at(-1)
    if (!last || rows.length < SLICE) return { renewed: renewedCount, unreadable }
    after = last.account_id
  }
}

async function renew(db: Kysely<Schema>, vault: KeyVault, row: Pick<AiKeyTable, 'account_id' | 'base_url' | 'encrypted'>) {
  const { account_id, base_url, encrypted } = row
  const owner = holder(account_id, base_url)
  try {
    const apiKey = vault.decrypt(owner, encrypted)
    await db
      .updateTable('ai_key')
      .set({ encrypted: vault.encrypt(owner, apiKey) })
      // Unless its owner has saved another meanwhile.
      .where((is) => is.and({ account_id, encrypted }))
      .execute()
    return true
  } catch (error) {
    if (error instanceof SavedKeyError) return false
    throw error
  }
}
