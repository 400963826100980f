import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { openObjects } from '../../src/blobs/bucket/objects.ts'
import { bucketOnServer, noServer } from '../blobs/s3-server.ts'
import { counts, folderOf, jpeg, pixelmill } from './pixelmill.ts'

test('a bucket is source and target, and what has not changed is not read again', { skip: noServer }, async (t) => {
  const { location } = await bucketOnServer(t)
  const { bucket, endpoint = '', accessKeyId = '', secretAccessKey = '', region = '' } = location
  const names = { AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  for (const [name, value] of Object.entries({ ...names, AWS_REGION: region || 'us-east-1' })) process.env[name] = value
  const objects = openObjects(bucket, endpoint)
  t.after(() => objects.close())
  const picture = await jpeg(80, 40)
  for (const key of ['raw/a.jpg', 'raw/deep/b c.jpg', 'raw/note.txt', 'other/c.jpg'])
    await objects.put(key, picture, 'image/jpeg')
  await objects.put('raw/bad.jpg', Buffer.from('no image'), 'image/jpeg')
  const folder = await folderOf(t, { 'in/local.jpg': picture })
  const env = { ...names, AWS_REGION: region || 'us-east-1', XDG_STATE_HOME: join(folder, 'state') }
  const run = (...args: readonly string[]) =>
    pixelmill(['convert', '--json', '--jobs', '1', '--format', 'webp', ...args], { cwd: folder, env })
  const keys = async (prefix: string) => (await Array.fromAsync(objects.list(prefix))).map(({ key }) => key)

  const across = () => run(`s3://${bucket}/raw/`, '--out', `s3://${bucket}/web`)
  const ran = await across()
  assert.deepEqual([ran.code, counts(ran)], [1, { done: 2, failed: 1 }], ran.errors)
  assert.deepEqual(await keys('web/'), ['web/a.webp', 'web/deep/b c.webp'])
  assert.equal((await sharp(await objects.read('web/a.webp')).metadata()).width, 80)
  const [line] = ran.lines().filter(({ status }) => status === 'done')
  assert.deepEqual([line?.source, line?.target], [`s3://${bucket}/raw/a.jpg`, `s3://${bucket}/web/a.webp`])
  assert.deepEqual(counts(await across()), { unchanged: 2, failed: 1 })
  await objects.put('raw/a.jpg', await jpeg(90, 40), 'image/jpeg')
  assert.deepEqual(counts(await across()), { unchanged: 1, done: 1, failed: 1 })

  assert.deepEqual(counts(await run(`s3://${bucket}/other/`, '--out', 'down')), { done: 1 })
  assert.deepEqual(await readFile(join(folder, 'down/c.webp')), await objects.read('web/deep/b c.webp'))
  assert.deepEqual(counts(await run('in', '--out', `s3://${bucket}/up/`)), { done: 1 })
  assert.deepEqual(await keys('up/'), ['up/local.webp'])

  const none = await run('s3://pixelmill-no-such-bucket/', '--out', 'none')
  assert.equal(none.code, 2)
  assert.match(none.errors, /^stopped {2}[^\n]*pixelmill-no-such-bucket[^\n]*\n$/)
})
