import { randomBytes } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { KeyVault } from '../ai/key-vault.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { checkReceiver } from '../webhooks/attempt.ts'
import { placeOf } from './place.ts'
import type { Place, Source, SourceSettings } from './source.ts'

/** What decides whether a source may be saved. */
export interface SourceRules {
  readonly outbound: Pick<Outbound, 'checkAddress'>
  /** Encrypts the keys of buckets and the headers of requests; undefined if none can be saved. */
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
    const place = placeOf(rules.vault, name, settings, earlier?.place as Place | undefined)
    const { svg, fallback = null } = settings
    const savedColumns = {
      place: JSON.stringify(place),
      max_age: settings.maxAgeSeconds,
      unsigned: settings.unsigned,
      client_hints: settings.clientHints,
      cache_control: settings.cacheControl,
      fallback,
      svg,
    }
    if (earlier) {
      // What another place gave, or a setting that was left, is not what this one gives.
      const isMoved = !isDeepStrictEqual(earlier.place, JSON.parse(savedColumns.place)) || earlier.svg !== svg
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
