import type { Kysely } from 'kysely'
import type { AiKeyTable, Schema } from '../../database/schema.ts'
import { type KeyVault, SavedKeyError } from './key-vault.ts'
import { holder } from './saved-keys.ts'

/** Keys that are encrypted anew in one go. */
const SLICE = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts with the newest secret what an older one did, so that that one can be removed.
 * @returns how many it was, and how many cannot be read because their secret was removed already
 */
export async function renewKeys(
  db: Kysely<Schema>,
  vault: KeyVault,
): Promise<{ readonly renewed: number; readonly unreadable: number }> {
  let [renewed, unreadable, after] = [0, 0, FIRST_ID]
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
      const done = await renew(db, vault, row)
      if (done) renewed++
      else unreadable++
    }
    const last = rows.at(-1)
    if (!last || rows.length < SLICE) return { renewed, unreadable }
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
      // Not over one that its owner saved meanwhile.
      .where((is) => is.and({ account_id, encrypted }))
      .execute()
    return true
  } catch (error) {
    if (error instanceof SavedKeyError) return false
    throw error
  }
}
