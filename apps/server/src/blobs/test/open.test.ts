import assert from 'node:assert/strict'
import { stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text as wholeText } from 'node:stream/consumers'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { readConfig } from '../../config.ts'
import { openBlobs } from '../index.ts'
import { text } from './noise.ts'

const PNG = { contentType: 'image/png' }
const SECRET = 'not-to-be-told'
const BUCKET = { S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: SECRET }

const open = (dataDir: string, settings: NodeJS.ProcessEnv = {}) => openBlobs(dataDir, readConfig(settings))
const refusal = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartError, String(error))
  assert.match(error.message, pattern)
  assert.ok(!error.message.includes(SECRET) && !error.message.includes('\n'))
  return true
}

test('without a bucket, blobs are in a folder of the data folder, and S3 is not even loaded', async (t) => {
  const dataDir = await tempFolder(t)
  const store = await open(dataDir)
  await store.put('a', text('x'), PNG)
  await store.close()
  assert.equal((await stat(join(dataDir, 'blobs'))).mode & 0o777, 0o700)
  const again = await open(dataDir)
  assert.equal(await wholeText((await again.get('a')).stream), 'x')
  const loadedTexts = Object.keys(createRequire(import.meta.url).cache)
  assert.deepEqual(
    loadedTexts.filter((file) => file.includes('@aws-sdk')),
    [],
  )
})

const HALVES: readonly (readonly [settings: NodeJS.ProcessEnv, refused: RegExp])[] = [
  [{ S3_BUCKET: 'a' }, /^A bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too: /],
  [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, /^A bucket needs S3_BUCKET and S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too: /],
  [{ ...BUCKET, S3_BUCKET: ' ' }, /^A bucket needs S3_BUCKET too: /],
  [{ ...BUCKET, S3_ACCESS_KEY_ID: '' }, /^A bucket needs S3_ACCESS_KEY_ID too: /],
  [{ S3_SECRET_ACCESS_KEY: SECRET }, /^A bucket needs S3_BUCKET and S3_ACCESS_KEY_ID too: /],
]
test('incomplete settings of a bucket are reported before anything starts', async (t) => {
  const dataDir = await tempFolder(t)
  for (const [settings, refusedExp] of HALVES) await assert.rejects(open(dataDir, settings), refusal(refusedExp))
})

test('an endpoint that is no address of a server is reported', () => {
  for (const S3_ENDPOINT of ['s3.example.org', 'ftp://example.org', 'localhost:9000']) {
    assert.throws(() => readConfig({ ...BUCKET, S3_ENDPOINT }), refusal(/^S3_ENDPOINT must be an address as https:\/\/host:port/))
  }
})

test('an endpoint where nothing listens is reported', async (t) => {
  const settings: NodeJS.ProcessEnv = { ...BUCKET, S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` }
  await assert.rejects(
    open(await tempFolder(t), settings),
    refusal(/^Cannot use the bucket images at http:\S+: nothing listens there; start it or correct S3_ENDPOINT\.$/),
  )
})

test('a folder that cannot be written is reported', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  await assert.rejects(open('/proc/sys'), refusal(/^Cannot use the folder \/proc\/sys\/blobs/))
  const dataDir = await tempFolder(t)
  await symlink('/nowhere', join(dataDir, 'blobs'))
  await assert.rejects(open(dataDir), refusal(/^Cannot use the folder \S+blobs \(ENOENT\)/))
  await unlink(join(dataDir, 'blobs'))
  await writeFile(join(dataDir, 'blobs'), 'in the way')
  await assert.rejects(open(dataDir), refusal(/^Cannot use the folder \S+blobs \(ENOTDIR\)/))
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof bound === 'object' && bound ? bound.port : 0
}
