import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { openServerDatabase } from '../../../../test/support/accounts.ts'
import { getResult, startBatch, statusOf, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { zipFile } from '../../../../test/support/zip.ts'

let server: SharedServer
let archive: Buffer
before(async () => {
  server = await shareServer()
  archive = zipOf({ 'a.png': await solid(8, 8, 'teal').png().toBuffer() })
})
after(() => server?.[Symbol.asyncDispose]())

/** What is sent, the name that it has then, and that of its download. */
const names: readonly (readonly [sent: string, name: string, disposition: string])[] = [
  ['holiday', 'holiday', 'attachment; filename="holiday.zip"'],
  [
    '  Été 2026 🏖 ',
    'Été 2026 🏖',
    `attachment; filename="_t_ 2026 _.zip"; filename*=UTF-8''%C3%89t%C3%A9%202026%20%F0%9F%8F%96.zip`,
  ],
  ['E\u0301te\u0301', 'Été', `attachment; filename="_t_.zip"; filename*=UTF-8''%C3%89t%C3%A9.zip`],
  ['a/b\\c:"d"?', 'a/b\\c:"d"?', 'attachment; filename="a_b_c__d__.zip"'],
  ["l'été (1)*", "l'été (1)*", `attachment; filename="l'_t_ (1)_.zip"; filename*=UTF-8''l%27%C3%A9t%C3%A9%20%281%29_.zip`],
  ['..', '..', 'attachment; filename="_.zip"'],
  ['con', 'con', 'attachment; filename="_con.zip"'],
  ['x'.repeat(100), 'x'.repeat(100), `attachment; filename="${'x'.repeat(100)}.zip"`],
]
for (const [sentText, name, disposition] of names) {
  test(`a batch called ${JSON.stringify(sentText.slice(0, 20))} has its name in every answer, and its download is called after it`, async () => {
    const { batch } = await startBatch(server, archive, { name: sentText })
    assert.equal(batch.name, name)
    assert.equal((await untilEnded(server, batch.id)).name, name)
    const head = await getResult(server, batch.id, {}, 'HEAD')
    assert.equal(head.headers.get('content-disposition'), disposition)
  })
}

for (const sentText of [
  'x'.repeat(101),
  'two\nlines',
  'zero\u200bwidth',
  'turned \u202egpj.exe',
  'nul\u0000',
  'line\u2028end',
  'in\tside',
]) {
  test(`${JSON.stringify(sentText.slice(0, 20))} is no name`, async () => {
    const { status, error } = await startBatch(server, archive, { name: sentText })
    assert.deepEqual([status, error?.statusMessage, error?.issues?.[0]?.path], [400, 'invalid_params', ['name']])
  })
}

test('a batch without a name has none, and a blank one counts as not sent', async () => {
  for (const fields of [{}, { name: '' }]) {
    const { batch } = await startBatch(server, archive, fields)
    assert.ok(!('name' in batch))
    await untilEnded(server, batch.id)
    const { headers } = await getResult(server, batch.id, {}, 'HEAD')
    assert.equal(headers.get('content-disposition'), `attachment; filename="${batch.id}.zip"`)
  }
})

test('the list of batches has the names, and a request that is sent again gives the same one', async () => {
  const key = { 'idempotency-key': 'named-once' }
  const first = await startBatch(server, archive, { name: 'once' }, key)
  const again = await startBatch(server, archive, { name: 'once' }, key)
  assert.deepEqual([again.batch.id, again.batch.name], [first.batch.id, 'once'])
  assert.equal((await startBatch(server, archive, { name: 'twice' }, key)).error?.statusMessage, 'idempotency_key_reused')
  assert.equal((await statusOf(server, first.batch.id)).body.name, 'once')
  const database = await openServerDatabase(server.dir)
  const { rows } = await database.pool.query("select name from batch where name = 'once'")
  await database.close()
  assert.equal(rows.length, 1)
  const { status } = await send(server.url, 'GET /api/user/batches', { token: server.key })
  assert.equal(status, 401, 'the list needs credentials')
})

test('file names in another encoding than UTF-8 are recognised, or read as nameEncoding says', async () => {
  const data = await solid(8, 8, 'teal').png().toBuffer()
  // 山.png in Shift_JIS, which is as likely ÄR.png in code page 437.
  const namedBytes = zipFile([{ name: Buffer.from('8e522e706e67', 'hex'), flags: 0, data }])
  const both = zipFile(['8e522e706e67', '93fa967b2e706e67'].map((name) => ({ name: Buffer.from(name, 'hex'), flags: 0, data })))
  const sources = async (zip: Buffer, fields: Readonly<Record<string, string>>) => {
    const { batch } = await startBatch(server, zip, fields)
    const path = `/api/v2/batch/${batch.id}/entries`
    const { body } = await send<{ readonly data: readonly { readonly source: string }[] }>(server.url, `GET ${path}`, {
      token: server.key,
    })
    return body.data.map(({ source }) => source)
  }
  assert.deepEqual(await sources(both, {}), ['山.png', '日本.png'])
  assert.deepEqual(await sources(namedBytes, { nameEncoding: 'Shift_JIS' }), ['山.png'])
  const { status, error } = await startBatch(server, namedBytes, { nameEncoding: 'klingon' })
  assert.deepEqual([status, error?.issues?.[0]?.path], [400, ['nameEncoding']])
})
