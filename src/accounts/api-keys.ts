import { hash, randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_LENGTH = 48
const SHOWN_PREFIX = 7

/** The specification's format: `sk_` and 48 alphanumeric characters. */
export const API_KEY = /^sk_[A-Za-z0-9]{48}$/

/** 285 bits of chance: nothing to guess, so that a plain hash keeps it. */
export const makeApiKey = (): string =>
  `sk_${Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`

export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Saves a key for an account, as its hash and what a list may show of it; returns its id. */
export async function saveApiKey(db: Kysely<Schema>, accountId: string, name: string, key: string): Promise<string> {
  const { id } = await db
    .insertInto('api_key')
    .values({ account_id: accountId, name, hash: hashApiKey(key), prefix: key.slice(0, SHOWN_PREFIX), last_four: key.slice(-4) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
