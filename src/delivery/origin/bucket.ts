import type { BucketLocation } from '../../blobs/bucket/location.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { type Origin, unavailable } from './original.ts'
import { fetchOriginal } from './web.ts'

/** Seconds for which a signed request is valid: clocks differ, and the connection may wait. */
const VALID_S = 300

/** Objects of a bucket. Each request is signed here and sent as any other: the S3 client would connect to any address. */
export function bucketOrigin(location: BucketLocation, prefix: string, send: Outbound['guardedFetch']): Origin {
  let signing: Promise<(key: string) => Promise<string>> | undefined
  return {
    async read(path, known, signal) {
      signing ??= openSigner(location)
      const key = [...(prefix === '' ? [] : [prefix]), ...path].join('/')
      const url = await signing
        .then((sign) => sign(key))
        .catch((error) => Promise.reject(unavailable('its key cannot be used.', error)))
      return await fetchOriginal(url, send, known, signal)
    },
  }
}

/** Loads the S3 client only when needed, as the file store does. */
async function openSigner(location: BucketLocation): Promise<(key: string) => Promise<string>> {
  const [{ connect }, { GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    import('../../blobs/bucket/bucket.ts'),
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const { client, name } = connect(location)
  return (key) => getSignedUrl(client, new GetObjectCommand({ Bucket: name, Key: key }), { expiresIn: VALID_S })
}
