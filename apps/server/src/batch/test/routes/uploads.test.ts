import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { filesOf, zipOf } from '../../../../test/support/batch-call.ts'
import { type Answer, read } from '../../../../test/support/call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { BOUNDARY, multipart, type Part } from '../../../../test/support/multipart.ts'
import { type Server, startServer } from '../../../../test/support/server.ts'
import type { Database } from '../../../database/database.ts'

/** The archive of a batch, on its way into the store: if anything goes wrong, nothing of it is left there, and nothing is charged. */

const MiB = 1024 * 1024
const TIMEOUT_S = 1

let server: Server
let database: Database
let account: { readonly id: string; readonly key: string }
before(async () => {
  server = await startServer({ RENDERERS: '1', BATCH_ARCHIVE_MB: '4', BATCH_ENTRIES: '7', UPLOAD_TIMEOUT_S: String(TIMEOUT_S) })
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const image = await solid(20, 20, '#123456').png().toBuffer()
const archive = zipOf({ 'a.png': image })
const file = (content: Buffer | string = archive): Part => ({ name: 'file', file: 'a.zip', content })
const field = (name: string, content: string): Part => ({ name, content })

/** No call is held or charged, and there is no file of a batch. */
async function assertUntouched(): Promise<void> {
  const untouchedCalls = async () => {
    const { open, used } = await accountTotals(database, account.id)
    return open === 0 && used === 0 && (await filesOf(server.dir)).length === 0
  }
  assert.ok(
    await until(untouchedCalls),
    [JSON.stringify(await accountTotals(database, account.id)), ...(await filesOf(server.dir))].join(),
  )
}

const headersOf = (key = account.key) => ({
  authorization: `Bearer ${key}`,
  'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
})

async function post(body: Buffer, isChunked = false): Promise<Answer> {
  const bytes = new Uint8Array(body)
  const init = isChunked ? { body: new Blob([bytes]).stream(), duplex: 'half' } : { body: bytes }
  return read(await fetch(`${server.url}/api/v2/batch`, { method: 'POST', headers: headersOf(), ...init } as RequestInit))
}

const refusals: readonly (readonly [name: string, expected: string, body: Buffer])[] = [
  ['no file', 'missing_archive_file', multipart([field('format', 'webp')])],
  ['an empty file', 'missing_archive_file', multipart([file('')])],
  ['a file in another field', 'missing_archive_file', multipart([{ ...file(), name: 'image' }])],
  ['no file and a faulty parameter: the file counts first', 'missing_archive_file', multipart([field('quality', '900')])],
  ['two files', 'invalid_params', multipart([file(), file()])],
  ['a faulty parameter before the file', 'invalid_params', multipart([field('quality', '101'), file()])],
  ['a faulty parameter behind the file', 'invalid_params', multipart([file(), field('format', 'gif')])],
  ['a parameter on both sides', 'invalid_params', multipart([field('quality', '5'), file(), field('quality', '5')])],
  ['a value that is too long, behind the file', 'invalid_params', multipart([file(), field('format', 'x'.repeat(100_000))])],
  ['70 further fields, behind the file', 'missing_form_data', multipart([file(), ...Array(70).fill(field('a', 'b'))])],
  ['a form that is cut inside the file', 'missing_form_data', multipart([file()]).subarray(0, 250)],
  ['a form that is cut behind the file', 'missing_form_data', multipart([file()], '')],
  ['a megabyte too much', 'archive_too_large', multipart([file(Buffer.alloc(5 * MiB))])],
  ['a byte too much', 'archive_too_large', multipart([file(Buffer.alloc(4 * MiB + 1))])],
  ['not a ZIP', 'invalid_archive', multipart([file('this is no archive')])],
  ['as much as is allowed', 'invalid_archive', multipart([file(Buffer.alloc(4 * MiB))])],
  [
    'an ignored file that is too large for the whole',
    'archive_too_large',
    multipart([{ ...file(Buffer.alloc(3.5 * MiB)), name: 'b' }, file(Buffer.alloc(3.5 * MiB))]),
  ],
]
for (const isChunked of [false, true]) {
  for (const [name, expected, body] of refusals) {
    test(`${name}${isChunked ? ', in chunks' : ''}: ${expected}`, async () => {
      const { status, error } = await post(body, isChunked)
      assert.deepEqual([status, error?.statusMessage], [400, expected], `${error?.message}`)
      await assertUntouched()
    })
  }
}

/** Begins an upload on a connection of its own. */
function begin(length: string, key = account.key) {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.on('error', () => {
    // The server may be quicker to close.
  })
  const { authorization, 'content-type': type } = headersOf(key)
  const lines = ['POST /api/v2/batch HTTP/1.1', 'Host: x', `Authorization: ${authorization}`, `Content-Type: ${type}`, length]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return { socket, answer: () => answer }
}

const beginning = multipart([file(Buffer.alloc(3 * MiB))]).subarray(0, 2 * MiB)

for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
  test(`a client that leaves in the middle of the archive (${end})`, async () => {
    const { socket } = begin(`Content-Length: ${3.5 * MiB}`)
    socket.write(beginning)
    assert.ok(await until(async () => (await filesOf(server.dir)).length === 1), 'it is on its way')
    socket[end]()
    await assertUntouched()
  })
}

test('a client that stops sending is answered 408', async () => {
  const { socket, answer } = begin(`Content-Length: ${3.5 * MiB}`)
  socket.write(beginning)
  assert.ok(await until(async () => answer().includes('\r\n\r\n'), 10_000))
  assert.match(answer(), /^HTTP\/1\.1 408 upload_timeout/)
  socket.destroy()
  await assertUntouched()
})

test('a client that sends slower than half a megabit a second is answered 408', async () => {
  const { socket, answer } = begin(`Content-Length: ${3.5 * MiB}`)
  socket.write(beginning.subarray(0, 300))
  const drip = setInterval(() => socket.write('x'), 200)
  const isAnswered = await until(async () => answer().includes('\r\n\r\n'), 10_000)
  clearInterval(drip)
  assert.ok(isAnswered)
  assert.match(answer(), /^HTTP\/1\.1 408 upload_timeout/)
  socket.destroy()
  await assertUntouched()
})

test('an upload that is fast enough may take longer than the time limit', async () => {
  const body = multipart([file(Buffer.alloc(2 * MiB))])
  const { socket, answer } = begin(`Content-Length: ${body.length}`)
  const pieces = 8 * TIMEOUT_S
  for (let nth = 0; nth < pieces; nth++) {
    socket.write(body.subarray(Math.floor((nth * body.length) / pieces), Math.floor(((nth + 1) * body.length) / pieces)))
    await sleep(250)
  }
  assert.ok(await until(async () => answer().includes('\r\n\r\n'), 10_000))
  assert.match(answer(), /^HTTP\/1\.1 400 invalid_archive/)
  socket.destroy()
  await assertUntouched()
})

test('nothing is stored of a client without a key', async () => {
  const { socket, answer } = begin(`Content-Length: ${beginning.length}`, 'nonsense')
  socket.write(beginning)
  assert.ok(await until(async () => answer().includes('\r\n\r\n'), 10_000))
  assert.match(answer(), /^HTTP\/1\.1 401/)
  socket.destroy()
  await assertUntouched()
})

test('the archive may come before or after its parameters, and an empty file does not count', async () => {
  for (const parts of [
    [file(), field('format', 'png')],
    [field('format', 'png'), file(''), file()],
  ]) {
    const answer = await post(multipart(parts))
    assert.equal(answer.status, 202, answer.bytes.toString())
    const { id, format, quality } = JSON.parse(answer.bytes.toString())
    assert.deepEqual([format, quality], ['png', 75], 'the default of the contract, though PNG is lossless without it')
    const { status } = await fetch(`${server.url}/api/v2/batch/${id}`, { method: 'DELETE', headers: headersOf() })
    assert.equal(status, 200)
  }
})

test('GET /api/v2/batch/limits answers the limits of this server', async () => {
  const { body } = await send<Record<string, number>>(server.url, 'GET /api/v2/batch/limits', { token: account.key })
  assert.deepEqual(body, {
    archiveBytes: 4 * 2 ** 20,
    entries: 7,
    unpackedBytes: 5 * 2 ** 30,
    accountBatches: 100,
    accountBytes: 8 * 2 ** 30,
    imageBytes: 15 * 2 ** 20,
    imagePixels: 80_000_000,
  })
})
