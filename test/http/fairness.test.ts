import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '../../src/database/database.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { caller } from '../support/call.ts'
import { photo, solid } from '../support/pictures.ts'
import { type Server, startServer } from '../support/server.ts'

let server: Server
let database: Database
const small = await solid(8, 8, 'teal').png().toBuffer()
const medium = await photo(760, 560).jpeg().toBuffer()

before(async () => {
  server = await startServer({ RENDERERS: '1', RENDER_QUEUE: '8', BATCH_NICE: '5' })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

test('while one account sends more long work than may wait, by key and signed in, another is answered', async () => {
  const { url } = server
  const [one, other] = [await makeAccount(database, 'enterprise'), await makeAccount(database, 'enterprise')]
  const doors = [caller({ url, key: one.key }), caller({ url, key: await makeLogin(database, one.id) })]
  const ends: number[] = []
  const flood = Array.from({ length: 12 }, (_, at) =>
    doors[at % 2]?.post('optimize', {}, { image: medium }).then(({ status }) => ends.push(status)),
  )
  const patient = caller({ url, key: other.key })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await patient.post('convert', { format: 'png' }, { image: small })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
  assert.ok(ends.filter((status) => status === 200).length < 5, `${ends.join(' ')} had ended by then`)
  await Promise.all(flood)
  // One at work and about as many as may wait; the rest are refused.
  const [done, busy] = [200, 503].map((wanted) => ends.filter((status) => status === wanted).length)
  assert.ok((done ?? 0) >= 7 && (busy ?? 0) >= 1 && (done ?? 0) + (busy ?? 0) === 12, ends.join(' '))
})
