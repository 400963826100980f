import type { BucketLocation } from 'pixelmill/bucket/location'
import type { Outbound } from '../../outbound/outbound.ts'
import { listBucket } from './list-bucket.ts'
import { type Origin, unavailable } from './original.ts'
import { fetchOriginal } from './web.ts'

/** Objects of a bucket. Each request is signed here and sent as any other: the S3 client would connect to any address. */
export function bucketOrigin(location: BucketLocation, prefix: string, send: Outbound['guardedFetch']): Origin {
  let signing: Promise<(key: string) => Promise<string>> | undefined
  return {
    list: (query, signal) => listBucket(location, prefix, send, query, signal),
    async read(path, knownValidators, signal) {
      signing ??= openLazily(location)
      const key = [...(prefix === '' ? [] : [prefix]), ...path].join('/')
      const url = await signing
        .then((sign) => sign(key))
        .catch((error) => Promise.reject(unavailable('its key cannot be used.', error)))
      return await fetchOriginal(url, { send }, knownValidators, signal)
    },
  }
}

/** Loads the S3 client only when needed, as the file store does. */
async function openLazily(location: BucketLocation): Promise<(key: string) => Promise<string>> {
  const { openSigner } = await import('pixelmill/bucket/object')
  return openSigner(location)
}
