import type { BucketLocation } from 'pixelmill/bucket/location'
import type { KeyVault } from '../../ai/key-vault.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { holderOf, isAllowedBucket } from '../save-source.ts'
import type { Source } from '../source.ts'
import { bucketOrigin } from './bucket.ts'
import { folderOrigin } from './folder.ts'
import { type Origin, unavailable } from './original.ts'
import { webOrigin } from './web.ts'

export interface OriginParts {
  readonly outbound: Pick<Outbound, 'guardedFetch' | 'operatorFetch'>
  /** Undefined if no keys of buckets can be read. */
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
    if (place.type === 'web') return webOrigin(place.baseUrl, outbound.guardedFetch)
    if (place.type === 'folder') return folderOrigin(place.path, folders, granted)
    const { bucket, prefix, key } = place
    if (!key) {
      if (!operators || !isAllowedBucket(place, buckets, granted))
        throw unavailable('its bucket is not one of DELIVERY_BUCKETS that its account may use.', undefined, false)
      return bucketOrigin({ ...operators, bucket }, prefix, outbound.operatorFetch)
    }
    if (!vault) throw unavailable('this server cannot read the key of the bucket.', undefined, false)
    const { endpoint, region = DEFAULT_REGION, accessKeyId, encrypted } = key
    const secretAccessKey = vault.decrypt(holderOf(name, key), encrypted)
    return bucketOrigin({ endpoint, region, bucket, accessKeyId, secretAccessKey }, prefix, outbound.guardedFetch)
  }
}
