import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { inspect } from '../../../../test/support/archives.ts'
import { getResult, newFilesOf, startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { refusedArchives } from '../../../../test/support/hostile-archives.ts'
import { hostileUrls } from '../../../../test/support/hostile-urls.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { DEFLATED, zipFile } from '../../../../test/support/zip.ts'
import type { Database } from '../../../database/database.ts'

/** What people send instead of an archive of images: each has its answer, costs nothing, and leaves nothing behind. */

let server: SharedServer
let database: Database
let newFiles: () => Promise<readonly string[]>
let account: { readonly id: string; readonly key: string }
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  newFiles = await newFilesOf(server.dir)
  account = await makeAccount(database, 'team')
})
after(async () => {
  await database?.close()
  await server?.[Symbol.asyncDispose]()
})

const image = await photo(300, 200).jpeg({ quality: 95 }).toBuffer()
const mine = () => ({ ...server, key: account.key })

async function assertRefused(answer: Awaited<ReturnType<typeof startBatch>>, code: string): Promise<void> {
  assert.deepEqual([answer.status, answer.error?.statusMessage], [400, code], answer.bytes.toString())
  assert.deepEqual(await accountTotals(database, account.id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 0 })
  assert.deepEqual(await newFiles(), [])
}

// An empty one is no file at all.
for (const [kind, bytes, message, code = 'invalid_archive'] of refusedArchives.filter(([, bytes]) => bytes.length > 0)) {
  test(`refused: ${kind}`, async () => {
    const answer = await startBatch(mine(), bytes)
    await assertRefused(answer, code)
    assert.match(answer.error?.message ?? '', message)
  })
}

test('an archive that is cut off at any kilobyte', async () => {
  const archive = zipOf({ 'a.jpg': image, 'b.jpg': image })
  for (let bytes = 1_024; bytes < archive.length; bytes += 1_024)
    await assertRefused(await startBatch(mine(), archive.subarray(0, bytes)), 'invalid_archive')
})

test('nothing that could be an image', async () => {
  const files = {
    'a.txt': Buffer.from('a'),
    'empty.txt': Buffer.alloc(0),
    'b.zip': zipOf({ 'a.jpg': image }),
    '__MACOSX/._a.jpg': image,
    '.a.jpg': image,
  }
  await assertRefused(await startBatch(mine(), zipOf(files)), 'archive_has_no_images')
})

for (const [writtenText] of hostileUrls.filter(([url]) => !url.includes('evil.com'))) {
  test(`webhook_url ${writtenText.slice(0, 60)}`, async () => {
    const answer = await startBatch(mine(), zipOf({ 'a.jpg': image }), { webhook_url: writtenText.replace(':P', ':8080') })
    await assertRefused(answer, 'invalid_params')
    assert.deepEqual(
      answer.error?.issues?.map(({ path }) => path),
      [['webhook_url']],
    )
  })
}

/** What is wrong with one entry alone fails that image, and no other. */
const damagedBytes = zipFile([
  { name: 'good.jpg', data: image, method: DEFLATED },
  { name: 'wrong checksum.jpg', data: image, method: DEFLATED, crc: 1 },
  { name: 'longer.jpg', data: image, method: DEFLATED, bytes: image.length - 1 },
  { name: 'shorter.jpg', data: image, method: DEFLATED, bytes: image.length + 1 },
  { name: 'no deflate.jpg', data: image, method: DEFLATED, packed: Buffer.alloc(image.length, 0xff) },
  { name: 'another name.jpg', data: image, method: DEFLATED, local: { name: 'another_name.jpg' } },
  { name: 'large.jpg', data: Buffer.alloc(16 * 2 ** 20), method: DEFLATED },
  { name: 'no image.jpg', data: Buffer.from('none'), method: DEFLATED },
  { name: 'cut.jpg', data: image.subarray(0, 1_000), method: DEFLATED },
  { name: 'empty.png' },
  { name: 'empty.txt' },
])

test('entries with false headers, one after the other, beside a good one', async () => {
  const other = await makeAccount(database, 'team')
  const own = { ...server, key: other.key }
  const { batch } = await startBatch(own, damagedBytes)
  const { status, progress } = await untilEnded(own, batch.id)
  assert.deepEqual([status, progress.succeeded, progress.failed], ['completed', 1, 9])
  const { used, open } = await accountTotals(database, other.id)
  assert.deepEqual([used, open], [1, 0])
  const result = Buffer.from(await (await getResult(own, batch.id)).arrayBuffer())
  const manifest = /^\[[\s\S]*?\n\]\n/m.exec(result.subarray(0, 10_000).toString('latin1').slice(43))?.[0] ?? ''
  const errors = JSON.parse(manifest).map(({ error }: { error?: { code: string; message: string } }) => error)
  const codes = errors.map((error?: { code: string }) => error?.code)
  assert.deepEqual(codes, [
    undefined,
    ...Array(5).fill('invalid_image'),
    'file_too_large',
    'invalid_image_type',
    'invalid_image',
    'invalid_image',
    undefined,
  ])
  assert.equal(errors[6]?.message, 'The file has more than 15 MB unpacked.')
})

test('names that Windows does not take are replaced, and the archive is converted', async () => {
  const other = await makeAccount(database, 'team')
  const own = { ...server, key: other.key }
  const names = ['a:b?.png', 'C:d.png', 'f\\g:h|i.png', 'con/nul.png']
  const { status, batch, bytes } = await startBatch(own, zipOf(Object.fromEntries(names.map((name) => [name, image]))))
  assert.equal(status, 202, bytes.toString())
  const { progress } = await untilEnded(own, batch.id)
  assert.deepEqual([progress.succeeded, progress.failed], [4, 0])
  const result = Buffer.from(await (await getResult(own, batch.id)).arrayBuffer())
  const paths = (await inspect(result)).map(({ path }) => path)
  assert.deepEqual(paths.sort(), ['C_d.webp', '_con/_nul.webp', 'a_b_.webp', 'f/g_h_i.webp', 'manifest.json'])
})

test('empty files that are called like images are a batch that fails, and costs nothing', async () => {
  const other = await makeAccount(database, 'team')
  const own = { ...server, key: other.key }
  const { batch } = await startBatch(own, zipFile([{ name: 'a.png' }, { name: 'b.JPG', method: DEFLATED }, { name: 'c.txt' }]))
  const { status, progress, error } = await untilEnded(own, batch.id)
  assert.deepEqual([status, progress.total, progress.failed, error?.code], ['failed', 2, 2, 'invalid_image'])
  const { used, open } = await accountTotals(database, other.id)
  assert.deepEqual([used, open], [0, 0])
})
