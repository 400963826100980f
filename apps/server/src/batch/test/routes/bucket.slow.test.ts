import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { ARCHIVE_LIMITS, sourceOf } from '../../../../test/support/archives.ts'
import { getResult, startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { bucketOnServer, noServer } from '../../../../test/support/s3-server.ts'
import { startServer } from '../../../../test/support/server.ts'
import { inspectArchive } from '../../../archives/inspect.ts'
import { openBucket } from '../../../blobs/bucket/bucket-store.ts'

test('a batch whose files are in a bucket: uploaded, converted, fetched in pieces, removed', { skip: noServer }, async (t) => {
  const { location, unfinished } = await bucketOnServer(t)
  const store = openBucket(location)
  t.after(() => store.close())
  await using server = await startServer({
    RENDERERS: '1',
    S3_ENDPOINT: location.endpoint ?? '',
    S3_BUCKET: location.bucket,
    S3_ACCESS_KEY_ID: location.accessKeyId,
    S3_SECRET_ACCESS_KEY: location.secretAccessKey,
  })
  const picture = await photo(80, 60).png().toBuffer()
  // More than one part of an upload, so that it goes as several.
  const padding = { 'notes.bin': Buffer.alloc(20 * 2 ** 20, 'x') }
  const { batch } = await startBatch(server, zipOf({ 'a.png': picture, 'sub/b.png': picture, ...padding }))
  assert.equal((await untilEnded(server, batch.id)).progress.succeeded, 2)

  const whole = Buffer.from(await (await getResult(server, batch.id)).arrayBuffer())
  const entries = await inspectArchive(sourceOf(whole), ARCHIVE_LIMITS)
  assert.deepEqual(
    entries.map(({ path }) => path),
    ['manifest.json', 'a.webp', 'sub/b.webp'],
  )
  const half = Math.floor(whole.length / 2)
  const rest = await getResult(server, batch.id, { range: `bytes=${half}-` })
  assert.equal(rest.status, 206)
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), whole.subarray(half))

  await fetch(`${server.url}/api/v2/batch/${batch.id}`, { method: 'DELETE', headers: { authorization: `Bearer ${server.key}` } })
  assert.ok(await until(async () => (await store.list('batch/')).blobs.length === 0, 20_000), 'its files are gone')
  assert.equal(await unfinished(), 0)
})
