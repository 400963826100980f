import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { getResult, startBatch, untilEnded, zipOf } from '../support/batch-call.ts'
import { caller } from '../support/call.ts'
import { TARGETS } from '../support/database-targets.ts'
import { noServer } from '../support/s3-server.ts'
import { ADDRESSES, type Composed, startComposed } from './composed.ts'
import { lacks } from './files.ts'
import { startNginx } from './nginx.ts'

const PORT = '8089'
const skip = lacks('nginx') || TARGETS[1].skip || noServer
const url = `http://127.0.0.1:${PORT}`
let composedValue: Composed | undefined
/** A hook that is given within a hook would run at that one's end. */
const ends: (() => Promise<void>)[] = []
const cluster = () => composedValue ?? assert.fail('it was started before')

before(async () => {
  if (skip) return
  composedValue = await startComposed({ after: (end) => void ends.push(end) })
  const nginx = await startNginx(PORT, { addresses: ADDRESSES, port: composedValue.port })
  ends.push(async () => nginx[Symbol.asyncDispose]())
})
after(async () => {
  for (const end of ends.reverse()) await end()
})

test('15 MB go up through the balancer, and a picture comes back', { skip }, async () => {
  // Noise, which no coder makes smaller, with what is left to the limit behind its end.
  const noise = await photo(2_000, 1_500).jpeg({ quality: 100 }).toBuffer()
  const image = Buffer.concat([noise, Buffer.alloc(15 * 1024 * 1024 - noise.length)])
  const { status, bytes, headers } = await caller({ url, key: cluster().key }).post(
    'convert',
    { format: 'webp', width: 400 },
    { image },
  )
  assert.equal(status, 200, bytes.subarray(0, 300).toString())
  assert.equal(headers.get('content-type'), 'image/webp')
})

test('one byte more is refused by Pixelmill, in its own words', { skip }, async () => {
  const image = Buffer.alloc(15 * 1024 * 1024 + 1)
  const { error } = await caller({ url, key: cluster().key }).post('convert', {}, { image })
  assert.equal(error?.statusMessage, 'file_too_large')
})

test('a batch is done by the worker, told as it goes, and fetched', { skip }, async () => {
  const calledValue = { url, key: cluster().key }
  const picture = await photo(1_600, 1_200).jpeg().toBuffer()
  const names = ['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg', '6.jpg']
  const { status, batch } = await startBatch(calledValue, zipOf(Object.fromEntries(names.map((name) => [name, picture]))), {
    format: 'avif',
  })
  assert.equal(status, 202)
  const stream = await fetch(`${url}/api/v2/batch/${batch.id}/events`, {
    headers: { authorization: `Bearer ${calledValue.key}` },
  })
  const { value } = await (stream.body ?? assert.fail()).getReader().read()
  const toldText = Buffer.from(value ?? []).toString()
  // A balancer that waits for a full buffer, or for the end, would bring the end with the beginning.
  assert.match(toldText, /^event: progress$/m)
  assert.doesNotMatch(toldText, /^event: completed$/m)
  assert.equal((await untilEnded(calledValue, batch.id)).progress.succeeded, names.length)
  const result = await getResult(calledValue, batch.id)
  assert.equal(result.status, 200)
  assert.equal(
    Buffer.from(await result.arrayBuffer())
      .subarray(0, 2)
      .toString(),
    'PK',
  )
})

test('what a client says of itself is not believed, what the balancer says is', { skip }, async () => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' })
  const attempt = (nth: number) =>
    fetch(`${url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${nth}` },
      body,
    })
  const statuses: number[] = []
  for (let nth = 0; nth < 12; nth++) statuses.push((await attempt(nth)).status)
  assert.equal(statuses.at(-1), 429, String(statuses))
})

test('an api that is killed leaves nobody who reads without an answer', { skip }, async () => {
  const [first] = cluster().apis
  const loop = Array.from({ length: 8 }, async () => {
    const statuses: number[] = []
    for (let nth = 0; nth < 40; nth++) statuses.push((await fetch(`${url}/openapi.json`)).status)
    return statuses
  })
  first?.child.kill('SIGKILL')
  const statuses = (await Promise.all(loop)).flat()
  assert.deepEqual(new Set(statuses), new Set([200]))
  // A connection that could not be made is no request that was sent twice: what changes something goes on as well.
  const image = await photo(40, 40).jpeg().toBuffer()
  for (let nth = 0; nth < 6; nth++)
    assert.equal((await caller({ url, key: cluster().key }).post('convert', {}, { image })).status, 200)
})
