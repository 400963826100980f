import type { BucketLocation } from 'pixelmill/bucket/location'
import { type KeyVault, SavedKeyError } from '../../ai/key-vault.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { holderOf, holderOfHeaders } from '../place.ts'
import { requestHeaders } from '../request-headers.ts'
import { isAllowedBucket } from '../save-source.ts'
import type { Source } from '../source.ts'
import { bucketOrigin } from './bucket.ts'
import { folderOrigin } from './folder.ts'
import { type Origin, unavailable } from './original.ts'
import { webOrigin } from './web.ts'

export interface OriginParts {
  readonly outbound: Pick<Outbound, 'guardedFetch' | 'operatorFetch'>
  /** Undefined if no keys of buckets and no headers can be read. */
  readonly vault: KeyVault | undefined
  /** The server and key of the operator, for buckets without a key of their own. */
  readonly operators: BucketLocation | undefined
  /** DELIVERY_FOLDERS and DELIVERY_BUCKETS, as they are now. */
  readonly folders: readonly string[]
  readonly buckets: readonly string[]
}

/** Amazon's oldest region, which the S3 protocol takes where none is named. */
const DEFAULT_REGION = 'us-east-1'

/** The reader of a source's files; one for as long as the source does not change. */
export function origins({ outbound, vault, operators, folders, buckets }: OriginParts): (source: Source) => Origin {
  const openedMap = new WeakMap<Source, Origin>()
  return (source) => {
    const foundOrigin = openedMap.get(source)
    if (foundOrigin) return foundOrigin
    const origin = open(source)
    openedMap.set(source, origin)
    return origin
  }

  function open({ name, place, granted }: Source): Origin {
    if (place.type === 'web') {
      const { baseUrl, redirects, headers } = place
      const holder = holderOfHeaders(name, baseUrl)
      const sentHeaders = headers && requestHeaders.parse(JSON.parse(secretText(holder, headers.encrypted)))
      return webOrigin(baseUrl, { send: outbound.guardedFetch, redirects, headers: sentHeaders })
    }
    if (place.type === 'folder') return folderOrigin(place.path, folders, granted)
    const { bucket, prefix, key } = place
    if (!key) {
      if (!operators || !isAllowedBucket(place, buckets, granted))
        throw unavailable('its bucket is not one of DELIVERY_BUCKETS that its account may use.', undefined, false)
      return bucketOrigin({ ...operators, bucket }, prefix, outbound.operatorFetch)
    }
    const { endpoint, region = DEFAULT_REGION, accessKeyId, encrypted } = key
    const secretAccessKey = secretText(holderOf(name, key), encrypted)
    return bucketOrigin({ endpoint, region, bucket, accessKeyId, secretAccessKey }, prefix, outbound.guardedFetch)
  }

  /** @throws ApiError source_unavailable */
  function secretText(holder: string, encryptedText: string): string {
    const noSecret = (cause?: unknown) => unavailable('this server cannot read its saved key or headers.', cause, false)
    if (!vault) throw noSecret()
    try {
      return vault.decrypt(holder, encryptedText)
    } catch (error) {
      throw error instanceof SavedKeyError ? noSecret(error) : error
    }
  }
}
