import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { openObjects } from 'pixelmill/bucket/objects'
import { counts, folderOf, jpeg, pixelmill } from 'pixelmill/test/pixelmill'
import sharp from 'sharp'
import { bucketOnServer, noServer } from '../support/s3-server.ts'

/** A bucket as users have it: by the variables of AWS's tools. */
async function userBucket(t: TestContext) {
  const { location } = await bucketOnServer(t)
  const { bucket, endpoint = '', accessKeyId, secretAccessKey, region } = location
  const names = { AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  const env = { ...names, AWS_REGION: region }
  Object.assign(process.env, env)
  const objects = openObjects(bucket, endpoint)
  t.after(() => objects.close())
  return { bucket, objects, env }
}

test('a bucket is source and target, and what has not changed is not read again', { skip: noServer }, async (t) => {
  const { bucket, objects, env: names } = await userBucket(t)
  const picture = await jpeg(80, 40)
  for (const key of ['raw/a.jpg', 'raw/deep/b c.jpg', 'raw/note.txt', 'other/c.jpg'])
    await objects.put(key, picture, 'image/jpeg')
  await objects.put('raw/bad.jpg', Buffer.from('no image'), 'image/jpeg')
  const folder = await folderOf(t, { 'in/local.jpg': picture })
  const env = { ...names, XDG_STATE_HOME: join(folder, 'state') }
  const run = (...args: readonly string[]) =>
    pixelmill(['convert', '--json', '--jobs', '1', '--format', 'webp', ...args], { cwd: folder, env })
  const keys = async (prefix: string) => (await Array.fromAsync(objects.list(prefix))).map(({ key }) => key)

  const across = () => run(`s3://${bucket}/raw/`, '--out', `s3://${bucket}/web`)
  const ran = await across()
  assert.deepEqual([ran.code, counts(ran)], [1, { done: 2, failed: 1 }], ran.errors)
  assert.deepEqual(await keys('web/'), ['web/a.webp', 'web/deep/b c.webp'])
  assert.equal((await sharp(await objects.read('web/a.webp')).metadata()).width, 80)
  const line = ran.lines().find(({ source }) => source === `s3://${bucket}/raw/a.jpg`)
  assert.deepEqual([line?.status, line?.target], ['done', `s3://${bucket}/web/a.webp`])
  assert.deepEqual(counts(await across()), { unchanged: 2, failed: 1 })
  await objects.put('raw/a.jpg', await jpeg(90, 40), 'image/jpeg')
  assert.deepEqual(counts(await across()), { unchanged: 1, done: 1, failed: 1 })

  await objects.put('raw/e.jpg', picture, 'image/jpeg')
  await across()
  await objects.put('web/own.webp', picture, 'image/webp')
  for (const key of ['raw/a.jpg', 'raw/e.jpg', 'raw/bad.jpg']) await objects.remove(key)
  assert.deepEqual(counts(await across()), { unchanged: 1, left: 2 })
  await objects.put('web/e.webp', Buffer.from('of others'), 'image/webp')
  assert.deepEqual(counts(await run(`s3://${bucket}/raw/`, '--out', `s3://${bucket}/web`, '--prune')), {
    unchanged: 1,
    removed: 1,
    changed: 1,
  })
  assert.deepEqual(await keys('web/'), ['web/deep/b c.webp', 'web/e.webp', 'web/own.webp'])
  await objects.remove('web/e.webp')
  assert.deepEqual(counts(await run(`s3://${bucket}/raw/`, '--out', `s3://${bucket}/web`, '--prune')), { unchanged: 1 })

  assert.deepEqual(counts(await run(`s3://${bucket}/other/`, '--out', 'down')), { done: 1 })
  assert.deepEqual(await readFile(join(folder, 'down/c.webp')), await objects.read('web/deep/b c.webp'))
  assert.deepEqual(counts(await run('in', '--out', `s3://${bucket}/up/`)), { done: 1 })
  assert.deepEqual(await keys('up/'), ['up/local.webp'])

  const none = await run('s3://pixelmill-no-such-bucket/', '--out', 'none')
  assert.equal(none.code, 2)
  assert.match(none.errors, /^stopped {2}[^\n]*pixelmill-no-such-bucket[^\n]*\n$/)
})

test('the parts of a Parquet file in a bucket convert its keys, and leave verdicts there', { skip: noServer }, async (t) => {
  const { bucket, objects, env } = await userBucket(t)
  const picture = await jpeg(80, 40)
  const keys = Array.from({ length: 7 }, (_, nth) => `raw/${nth % 2}/ä b${nth}.jpg`)
  for (const key of keys) await objects.put(key, picture, 'image/jpeg')
  const uris = [...keys, 'raw/none.jpg'].map((key) => `s3://${bucket}/${key}`)
  const list = parquetWriteBuffer({ columnData: [{ name: 'uri', data: uris }], rowGroupSize: 3 })
  await objects.put('lists/all.parquet', Buffer.from(list), 'application/octet-stream')
  const run = (index: number) => {
    const part = ['--manifest', `s3://${bucket}/lists/all.parquet`, '--column', 'uri', '--index', String(index), '--of', '2']
    const to = ['--out', `s3://${bucket}/web/`, '--verdicts', `s3://${bucket}/verdicts`, '--name', '{stem}.{ext}']
    return pixelmill(['shard', ...part, ...to, '--format', 'webp', '--jobs', '1'], { env })
  }
  for (const index of [0, 1]) assert.equal((await run(index)).code, 0)
  const madeTexts = (await Array.fromAsync(objects.list('web/'))).map(({ key }) => key)
  assert.deepEqual(madeTexts.sort(), keys.map((key) => `web/${key.slice('raw/0/'.length, -'.jpg'.length)}.webp`).sort())
  const verdicts = await Promise.all(
    (await Array.fromAsync(objects.list('verdicts/'))).map(async ({ key }) => (await objects.read(key)).toString()),
  )
  const lines = verdicts.flatMap((text) => text.split('\n').filter(Boolean)).map((text) => JSON.parse(text))
  assert.deepEqual(lines.map(({ source }) => source).sort(), uris.sort())
  const failedValues = lines.filter(({ status }) => status === 'failed')
  assert.deepEqual([failedValues.length, failedValues[0]?.error.code], [1, 'unreadable'])
  assert.match((await run(0)).errors, /^Part 0 of 2 is complete/)
})
