import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { openBucket } from '../bucket/bucket-store.ts'
import { listening } from './listening-bucket.ts'

test('a server that never answers does not hold up the start', async (t) => {
  const location = await listening(
    t,
    createServer(() => {}),
  )
  const store = openBucket(location)
  t.after(() => store.close())
  await assert.rejects(store.check(), /^StorageUnavailable: Cannot use the bucket images at \S+: it does not answer in time\.$/)
})
