import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin } from '../support/accounts.ts'
import { saveSource } from '../support/delivery.ts'
import { readMetric } from '../support/read-metric.ts'
import { bucketOnServer } from '../support/s3-server.ts'
import { clusterOf, noCluster } from './cluster.ts'

/** Three APIs whose results meet in a bucket. */

const OPERATORS = `originals-${randomUUID()}`
const SECRET = 'a secret of a test that is long enough'
const cluster = clusterOf(1, {
  EGRESS_ALLOW: '127.0.0.1',
  DELIVERY_BUCKETS: `${OPERATORS}/public`,
  CACHE_MEMORY_MB: '0',
  AI_KEY_ENCRYPTION_SECRET: SECRET,
})
const skip = noCluster

const image = await photo(600, 400).jpeg().toBuffer()

/** A login token of an account that may use the operator's bucket. */
async function owner(): Promise<string> {
  const { database } = cluster()
  const { id } = await makeAccount(database, 'team', { delivery_places: [`${OPERATORS}/public`] })
  return makeLogin(database, id)
}

test('originals of a bucket with a key of its own; results that all servers share', { skip }, async (t) => {
  const { apis } = cluster()
  const { location, client } = await bucketOnServer(t)
  const put = (Key: string, Body: Buffer) => client.send(new PutObjectCommand({ Bucket: location.bucket, Key, Body }))
  await put('shop/a b/é+(1).jpg', image)
  const { endpoint = '', bucket, accessKeyId, secretAccessKey } = location
  const key = { endpoint, accessKeyId, secretAccessKey }
  const source = await saveSource(apis[0].url, await owner(), 'own', {
    type: 'bucket',
    bucket,
    prefix: 'shop/',
    ...key,
    maxAgeSeconds: 1,
  })
  const rest = 'a%20b/%C3%A9+(1).jpg?w=90&f=webp'
  const everywhere = (path: string, times = 3) =>
    Promise.all(Array.from({ length: times }, (_, n) => source.get(path, {}, cluster().api(n).url)))
  const all = await everywhere(rest, 300)
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  assert.equal(all.filter(({ cache }) => cache === 'miss').length, 1)
  const renders = await Promise.all(apis.map((api) => readMetric(api, 'render_seconds_count', { operation: 'recipe' })))
  assert.equal(
    renders.reduce((sum: number, count) => sum + (count ?? 0), 0),
    1,
  )
  assert.equal(new Set(all.map(({ headers }) => headers.get('etag'))).size, 1)

  assert.deepEqual(
    (await everywhere('none.jpg?w=9')).map(({ error }) => error?.statusMessage),
    Array(3).fill('source_image_not_found'),
  )
  // It is outside of the prefix, though in the bucket.
  await put('private.jpg', image)
  assert.equal((await source.get('private.jpg?w=9')).error?.statusMessage, 'source_image_not_found')
  // The bucket's ETag says that nothing has changed.
  const unchangedCount = async () => {
    await everywhere(rest)
    return (await Promise.all(apis.map((api) => readMetric(api, 'delivery_revalidated_total', { outcome: 'unchanged' })))).some(
      Boolean,
    )
  }
  assert.ok(await until(unchangedCount))
  // Of a size that it alone is asked for, each server shows that it knows of the purge, before the picture above is asked for again.
  const own = (nth: number) => source.get(`a%20b/%C3%A9+(1).jpg?w=${20 + nth}&f=webp`, {}, cluster().api(nth).url)
  for (const nth of [0, 1, 2]) assert.equal((await own(nth)).cache, 'miss')
  await source.purge()
  for (const nth of [0, 1, 2]) assert.ok(await until(async () => (await own(nth)).cache === 'miss'))
  const states = (await everywhere(rest)).map(({ cache }) => cache)
  assert.deepEqual(states.toSorted(), ['hit', 'hit', 'miss'])
})

test('a wrong key is said to be the source’s fault', { skip }, async (t) => {
  const { location } = await bucketOnServer(t)
  const { endpoint = '', bucket, accessKeyId } = location
  const key = { endpoint, accessKeyId, secretAccessKey: 'wrong' }
  const source = await saveSource(cluster().apis[0].url, await owner(), 'wrong', { type: 'bucket', bucket, ...key })
  const { status, error } = await source.get('a.jpg?w=9')
  assert.deepEqual([status, error?.statusMessage], [502, 'source_unavailable'])
  assert.match(error?.message ?? '', /status 403/)
})

test('a bucket of the operator’s, with the key of the server', { skip }, async (t) => {
  const { client } = await bucketOnServer(t)
  await client.send(new CreateBucketCommand({ Bucket: OPERATORS }))
  await client.send(new PutObjectCommand({ Bucket: OPERATORS, Key: 'public/a.jpg', Body: image }))
  await client.send(new PutObjectCommand({ Bucket: OPERATORS, Key: 'private/a.jpg', Body: image }))
  const settings = { type: 'bucket', bucket: OPERATORS, prefix: 'public' }
  const source = await saveSource(cluster().apis[1].url, await owner(), 'operators', settings)
  assert.equal((await source.get('a.jpg?w=30')).status, 200)
  assert.equal((await source.get('b.jpg?w=30')).error?.statusMessage, 'source_image_not_found')
})
