import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { clientNetwork } from './client-network.ts'

/** As long as a login token lives: who comes back within that time is a regular. */
const KNOWN_DAYS = 30

/** An e-mail address and a network; only as a hash, so that the table does not tell who was where. */
const keyOf = (email: string, address: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(['place', email, clientNetwork(address)]))
    .digest()

/** Whether somebody with the right password has been here within 30 days. */
export async function isKnownPlace(db: Kysely<Schema>, email: string, address: string): Promise<boolean> {
  const place = db.selectFrom('known_place').select('key').where('key', '=', keyOf(email, address))
  return (await place.where('expires_at', '>', sql<Date>`now()`).executeTakeFirst()) !== undefined
}

/** The password was right, or the account was made here. */
export async function rememberPlace(db: Kysely<Schema>, email: string, address: string): Promise<void> {
  await sql`
    insert into known_place as p (key, expires_at) values (${keyOf(email, address)}, now() + make_interval(days => ${KNOWN_DAYS}))
    on conflict (key) do update set expires_at = excluded.expires_at
      -- A program that signs in for each call need not write each time.
      where p.expires_at < excluded.expires_at - interval '1 day'`.execute(db)
}

/** Removes those of whom nobody came back, a slice at a time; returns how many rows went. */
export async function forgetOldPlaces(db: Kysely<Schema>): Promise<number> {
  const old = sql<Buffer>`(select key from known_place where expires_at < now() limit 10000 for update skip locked)`
  const { numDeletedRows } = await db.deleteFrom('known_place').where('key', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
