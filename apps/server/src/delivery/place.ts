import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { type Kysely, sql } from 'kysely'
import { type KeyVault, SavedKeyError } from '../ai/key-vault.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import type { Place, SourceSettings } from './source.ts'

type WebPlace = Extract<Place, { type: 'web' }>
type BucketPlace = Extract<Place, { type: 'bucket' }>

/**
 * Where the originals of a source are, as it is stored.
 * @param earlier what was stored, whose secrets stay unless others are sent
 * @throws ApiError ai_key_encryption_disabled, invalid_params
 */
export function placeOf(vault: KeyVault | undefined, name: string, settings: SourceSettings, earlier: Place | undefined): Place {
  if (settings.type === 'folder') return { type: 'folder', path: settings.path ?? '' }
  return settings.type === 'web'
    ? webPlace(vault, name, settings, earlier?.type === 'web' ? earlier : undefined)
    : bucketPlace(vault, name, settings, earlier?.type === 'bucket' ? earlier : undefined)
}

function webPlace(
  vault: KeyVault | undefined,
  name: string,
  { baseUrl = '', redirects = 0, headers }: SourceSettings,
  earlier: WebPlace | undefined,
): Place {
  const savedHeaders = headers === undefined ? earlier?.headers : sealedHeaders(vault, holderOfHeaders(name, baseUrl), headers)
  if (
    headers === undefined &&
    earlier &&
    savedHeaders &&
    holderOfHeaders(name, earlier.baseUrl) !== holderOfHeaders(name, baseUrl)
  )
    throw invalidParam('headers', 'invalid_type', 'Is needed with another scheme, host or port: {} for none.')
  return { type: 'web', baseUrl, ...(redirects > 0 && { redirects }), ...(savedHeaders && { headers: savedHeaders }) }
}

/** Undefined for no headers. */
function sealedHeaders(
  vault: KeyVault | undefined,
  holder: string,
  headers: Readonly<Record<string, string>>,
): WebPlace['headers'] {
  const names = Object.keys(headers).toSorted()
  if (names.length === 0) return undefined
  if (!vault) throw new ApiError('ai_key_encryption_disabled', { message: 'This server cannot save headers of requests.' })
  return { names, encrypted: vault.encrypt(holder, JSON.stringify(headers)) }
}

function bucketPlace(
  vault: KeyVault | undefined,
  name: string,
  { bucket = '', prefix = '', endpoint, region, accessKeyId, secretAccessKey }: SourceSettings,
  earlier: BucketPlace | undefined,
): Place {
  if (accessKeyId === undefined) return { type: 'bucket', bucket, prefix }
  if (!vault) throw new ApiError('ai_key_encryption_disabled', { message: 'This server cannot save the keys of buckets.' })
  const holder = holderOf(name, { endpoint, accessKeyId })
  const earlierKey = earlier?.key
  const isSame = earlierKey !== undefined && holderOf(name, earlierKey) === holder
  if (secretAccessKey === undefined && !isSame)
    throw invalidParam('secretAccessKey', 'invalid_type', 'Is needed with another accessKeyId or endpoint.')
  const encryptedText = secretAccessKey === undefined ? earlierKey?.encrypted : vault.encrypt(holder, secretAccessKey)
  return { type: 'bucket', bucket, prefix, key: { endpoint, region, accessKeyId, encrypted: encryptedText ?? '' } }
}

/** Binds the key of a bucket to where it is sent: a row changed in the database cannot send it elsewhere. */
export const holderOf = (
  name: string,
  { endpoint, accessKeyId }: { endpoint?: string | undefined; accessKeyId: string },
): string => JSON.stringify(['source', name, endpoint ?? null, accessKeyId])

/** The same, of headers of requests. */
export const holderOfHeaders = (name: string, baseUrl: string): string =>
  JSON.stringify(['headers of source', name, URL.parse(baseUrl)?.origin ?? null])

/** What of a place is encrypted: the field that has it, its text, and its holder. */
function secretOf(name: string, place: Place) {
  if (place.type === 'bucket' && place.key)
    return { field: 'key', encrypted: place.key.encrypted, holder: holderOf(name, place.key) } as const
  if (place.type === 'web' && place.headers)
    return { field: 'headers', encrypted: place.headers.encrypted, holder: holderOfHeaders(name, place.baseUrl) } as const
  return undefined
}

/**
 * Re-encrypts with the newest secret the keys of buckets and the headers that an older one encrypted.
 * @returns how many cannot be read because their secret was removed already
 */
export async function renewSourceKeys(db: Kysely<Schema>, vault: KeyVault): Promise<{ renewed: number; unreadable: number }> {
  const rows = await db.selectFrom('source').select(['name', 'place']).where(sql<boolean>`place ?| '{key,headers}'`).execute()
  let renewedCount = 0
  let unreadable = 0
  for (const { name, place } of rows) {
    const secret = secretOf(name, place as Place)
    if (!secret || secret.encrypted.startsWith(vault.newest)) continue
    const { field, encrypted, holder } = secret
    try {
      const text = vault.encrypt(holder, vault.decrypt(holder, encrypted))
      // Unless its owner has saved another meanwhile.
      await db
        .updateTable('source')
        .set({ place: sql`jsonb_set(place, array[${field}, 'encrypted'], to_jsonb(${text}::text))` })
        .where('name', '=', name)
        .where(sql`place -> ${sql.lit(field)} ->> 'encrypted'`, '=', encrypted)
        .execute()
      renewedCount++
    } catch (error) {
      if (!(error instanceof SavedKeyError)) throw error
      unreadable++
    }
  }
  return { renewed: renewedCount, unreadable }
}
