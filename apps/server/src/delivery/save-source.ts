import { randomBytes } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type KeyVault, SavedKeyError } from '../ai/key-vault.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { checkReceiver } from '../webhooks/attempt.ts'
import type { Place, Source, SourceSettings } from './source.ts'

/** What decides whether a source may be saved. */
export interface SourceRules {
  readonly outbound: Pick<Outbound, 'checkAddress'>
  /** Encrypts the keys of buckets; undefined if none can be saved. */
  readonly vault: KeyVault | undefined
  /** Absolute paths of DELIVERY_FOLDERS. */
  readonly folders: readonly string[]
  /** DELIVERY_BUCKETS: `bucket` or `bucket/prefix`. */
  readonly buckets: readonly string[]
}

/**
 * Saves a source under a name of its own, in place of the account's earlier one.
 * @returns the secret if the source is new
 * @throws ApiError name_taken, too_many_sources, ai_key_encryption_disabled, invalid_params for a place that may not be used
 */
export async function saveSource(
  db: Kysely<Schema>,
  rules: SourceRules,
  accountId: string,
  name: string,
  settings: SourceSettings,
): Promise<string | undefined> {
  await requireUsable(rules, settings, await grantedTo(db, accountId))
  return db.transaction().execute(async (tx) => {
    // Locks the account first, as savePreset does: two locks in different orders would wait for each other.
    await tx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
    const version = await nextChange(tx)
    const earlier = await tx.selectFrom('source').selectAll().where('name', '=', name).executeTakeFirst()
    if (earlier && earlier.account_id !== accountId) throw new ApiError('name_taken')
    const place = placeOf(rules, name, settings, earlier?.place as Place | undefined)
    const savedColumns = {
      place: JSON.stringify(place),
      max_age: settings.maxAgeSeconds,
      unsigned: settings.unsigned,
      client_hints: settings.clientHints,
    }
    if (earlier) {
      // What another place gave is not what this one gives.
      const isMoved = JSON.stringify(earlier.place) !== savedColumns.place
      await tx
        .updateTable('source')
        .set({
          ...savedColumns,
          updated_at: sql`date_trunc('milliseconds', clock_timestamp())`,
          ...(isMoved && { generation: version }),
        })
        .where('name', '=', name)
        .execute()
      return undefined
    }
    await requireFewer(tx, accountId)
    const secret = newSecret()
    await tx
      .insertInto('source')
      .values({ name, account_id: accountId, ...savedColumns, secret, generation: version })
      .execute()
    return secret
  })
}

/** The length of SHA-256. */
const SECRET_BYTES = 32
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Takes the number of a change. The changes of all sources wait for each other, so that a reader of a number has seen all before it. */
export async function nextChange(tx: Transaction<Schema>): Promise<number> {
  const { version } = await tx
    .updateTable('source_change')
    .set({ version: sql`version + 1` })
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

async function requireFewer(tx: Transaction<Schema>, accountId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('source')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limits.delivery.sources) throw new ApiError('too_many_sources')
}

/** @throws ApiError invalid_params */
async function requireUsable(
  { outbound, folders, buckets }: SourceRules,
  settings: SourceSettings,
  grantedTexts: Source['granted'],
): Promise<void> {
  const { type, baseUrl = '', path = '', endpoint, accessKeyId, bucket = '', prefix = '' } = settings
  if (type === 'web') return checkReceiver(outbound, 'baseUrl', baseUrl)
  if (type === 'folder') {
    if ((await allowedFolder(path, folders, grantedTexts)) === undefined)
      throw invalidParam('path', 'custom', 'Must be a folder that exists: one of DELIVERY_FOLDERS that you may use, or below it.')
    return
  }
  if (endpoint !== undefined) await checkReceiver(outbound, 'endpoint', endpoint)
  if (accessKeyId === undefined && !isAllowedBucket({ bucket, prefix }, buckets, grantedTexts))
    throw invalidParam('accessKeyId', 'custom', 'Is needed: DELIVERY_BUCKETS has no such bucket and prefix that you may use.')
}

/** What of the operator's folders and buckets an account may use: all of an administrator. */
async function grantedTo(db: Kysely<Schema>, accountId: string): Promise<Source['granted']> {
  const row = await db.selectFrom('account').select(['role', 'delivery_places']).where('id', '=', accountId).executeTakeFirst()
  return row?.role === 'admin' ? undefined : (row?.delivery_places ?? [])
}

/**
 * A folder without symbolic links, if it exists and is one of those of DELIVERY_FOLDERS or below it.
 * @param grantedTexts to the account, of which it must be one too, or below it; undefined for all
 */
export async function allowedFolder(
  path: string,
  folders: readonly string[],
  grantedTexts: Source['granted'],
): Promise<string | undefined> {
  const foundText = await realFolder(path)
  const isIn = async (all: readonly string[]) =>
    (await Promise.all(all.map(realFolder))).some(
      (folder) => folder !== undefined && foundText !== undefined && isWithin(folder, foundText),
    )
  return (await isIn(folders)) && (grantedTexts === undefined || (await isIn(grantedTexts))) ? foundText : undefined
}

interface BucketPlace {
  readonly bucket: string
  readonly prefix: string
}

/** Whether DELIVERY_BUCKETS names the bucket, or a folder of it that the prefix is in, and so does what is granted to the account. */
export function isAllowedBucket(
  { bucket, prefix }: BucketPlace,
  buckets: readonly string[],
  grantedTexts: Source['granted'],
): boolean {
  const isIn = (all: readonly string[]) => all.some((allowedText) => `${bucket}/${prefix}/`.startsWith(`${allowedText}/`))
  return isIn(buckets) && (grantedTexts === undefined || isIn(grantedTexts))
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

/** Whether a path, without symbolic links, is a folder or below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith('../') || way.startsWith('..\\'))
}

/** Binds the key of a bucket to where it is sent: a row changed in the database cannot send it elsewhere. */
export const holderOf = (
  name: string,
  { endpoint, accessKeyId }: { endpoint?: string | undefined; accessKeyId: string },
): string => JSON.stringify(['source', name, endpoint ?? null, accessKeyId])

function placeOf({ vault }: SourceRules, name: string, settings: SourceSettings, earlier: Place | undefined): Place {
  const { type, baseUrl = '', path = '', bucket = '', prefix = '', endpoint, region, accessKeyId, secretAccessKey } = settings
  if (type === 'web') return { type, baseUrl }
  if (type === 'folder') return { type, path }
  if (accessKeyId === undefined) return { type, bucket, prefix }
  if (!vault) throw new ApiError('ai_key_encryption_disabled', { message: 'This server cannot save the keys of buckets.' })
  const holder = holderOf(name, { endpoint, accessKeyId })
  const earlierKey = earlier?.type === 'bucket' ? earlier.key : undefined
  const isSame = earlierKey !== undefined && holderOf(name, earlierKey) === holder
  if (secretAccessKey === undefined && !isSame)
    throw invalidParam('secretAccessKey', 'invalid_type', 'Is needed with another accessKeyId or endpoint.')
  const encryptedText = secretAccessKey === undefined ? earlierKey?.encrypted : vault.encrypt(holder, secretAccessKey)
  return { type, bucket, prefix, key: { endpoint, region, accessKeyId, encrypted: encryptedText ?? '' } }
}

/**
 * Re-encrypts with the newest secret the keys of buckets that an older one encrypted.
 * @returns how many cannot be read because their secret was removed already
 */
export async function renewSourceKeys(db: Kysely<Schema>, vault: KeyVault): Promise<{ renewed: number; unreadable: number }> {
  const rows = await db.selectFrom('source').select(['name', 'place']).where(sql`place -> 'key'`, 'is not', null).execute()
  let renewedCount = 0
  let unreadable = 0
  for (const { name, place: savedColumns } of rows) {
    const place = savedColumns as Place
    if (place.type !== 'bucket' || !place.key || place.key.encrypted.startsWith(vault.newest)) continue
    const holder = holderOf(name, place.key)
    try {
      const encryptedText = vault.encrypt(holder, vault.decrypt(holder, place.key.encrypted))
      const changedText = JSON.stringify({ ...place, key: { ...place.key, encrypted: encryptedText } })
      // Unless its owner has saved another meanwhile.
      await db
        .updateTable('source')
        .set({ place: changedText })
        .where('name', '=', name)
        .where(sql`place -> 'key' ->> 'encrypted'`, '=', place.key.encrypted)
        .execute()
      renewedCount++
    } catch (error) {
      if (!(error instanceof SavedKeyError)) throw error
      unreadable++
    }
  }
  return { renewed: renewedCount, unreadable }
}
