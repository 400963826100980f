import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'

/** The state of each entry of an archive, before there is a result and where there is none. */

interface Entries {
  readonly data: readonly {
    readonly seq: number
    readonly source: string
    readonly output: string | null
    readonly status: string
    readonly inputBytes: number | null
    readonly outputBytes: number | null
    readonly width: number | null
    readonly error?: { readonly code: string; readonly message: string }
  }[]
  readonly totals: Readonly<Record<string, number>>
  readonly nextCursor: string | null
}

const picture = await photo(60, 40).jpeg().toBuffer()
let server: SharedServer
let account: { readonly id: string; readonly key: string }
let other: { readonly id: string; readonly key: string }

before(async () => {
  server = await shareServer()
  const database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
  other = await makeAccount(database, 'team')
  await database.close()
})
after(() => server?.[Symbol.asyncDispose]())

const entriesOf = (id: string, query = '', token = account.key) =>
  send<Entries>(server.url, `GET /api/v2/batch/${id}/entries${query}`, { token })

async function batchOf(files: Readonly<Record<string, Buffer>>): Promise<string> {
  const { batch } = await startBatch({ url: server.url, key: account.key }, zipOf(files))
  return (await untilEnded({ url: server.url, key: account.key }, batch.id)).id
}

test('each entry is listed, in the order of the archive, with its error, and the totals', async () => {
  const id = await batchOf({
    'a/1.jpg': picture,
    'note.txt': Buffer.from('hello'),
    'bad.jpg': Buffer.from('no image'),
    '2.jpg': picture,
  })
  const { body } = await entriesOf(id)
  assert.deepEqual(
    body.data.map(({ seq, source, output, status }) => [seq, source, output, status]),
    [
      [0, 'a/1.jpg', 'a/1.webp', 'converted'],
      [1, 'note.txt', null, 'skipped'],
      [2, 'bad.jpg', null, 'failed'],
      [3, '2.jpg', '2.webp', 'converted'],
    ],
  )
  const [first, note, bad] = body.data
  assert.deepEqual([first?.inputBytes, first?.width, first?.error], [picture.length, 60, undefined])
  assert.equal(note?.inputBytes, null)
  assert.equal(bad?.error?.code, 'invalid_image_type')
  assert.ok(bad.error.message.length > 10)
  const outputBytes = 2 * (first?.outputBytes ?? 0)
  assert.deepEqual(body.totals, { pending: 0, converted: 2, failed: 1, skipped: 1, inputBytes: 2 * picture.length, outputBytes })
})

test('entries are listed page by page, and by status', async () => {
  const id = await batchOf({ '1.jpg': picture, '2.jpg': picture, 'bad.jpg': Buffer.from('no'), '3.jpg': picture })
  const names = ({ body }: { readonly body: Entries }) => body.data.map(({ source }) => source)
  const first = await entriesOf(id, '?status=converted&limit=2')
  assert.deepEqual(names(first), ['1.jpg', '2.jpg'])
  const second = await entriesOf(id, `?status=converted&limit=2&cursor=${first.body.nextCursor}`)
  assert.deepEqual([names(second), second.body.nextCursor], [['3.jpg'], null])
  assert.deepEqual(names(await entriesOf(id, '?status=pending')), [])
  assert.equal((await entriesOf(id, '?status=done')).status, 400)
  assert.equal((await entriesOf(id, '?cursor=nonsense')).status, 400)
})

test('entries of a failed batch are listed too, for its owner only', async () => {
  const id = await batchOf({ 'bad.jpg': Buffer.from('no image') })
  const { body } = await entriesOf(id)
  assert.deepEqual([body.data.map(({ status }) => status), body.totals.failed], [['failed'], 1])
  assert.deepEqual([(await entriesOf(id, '', other.key)).status, (await entriesOf('none')).status], [404, 404])
})
