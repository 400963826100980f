import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { heldUploads } from '@pixelmill/engine/concurrency/capacity'
import { raw } from '../../../test/support/raw.ts'
import { type FormRead, readForm } from '../read-form.ts'

const MANY = 1_000_000
const memory = heldUploads(10 * MANY)
const limits = { files: ['image'], texts: [], fileBytes: 2 * MANY, pace: { idleSeconds: 5, seconds: 10 }, memory, account: 'one' }

/** Answers with what `use` makes of a form. */
async function serve(use: (form: FormRead) => string) {
  const server = createServer(async (request, response) => {
    response.end(use(await readForm(request, limits, new AbortController().signal)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const body = (content: string) =>
  `--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n${content}\r\n--x--\r\n`
const request = (content: string, more = '') =>
  `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body(content).length}\r\n${more}\r\n${body(content)}`

test('a released form frees the memory of its files, and they are empty', async (t) => {
  const { url, close } = await serve((form) => {
    const { chunks = [], bytes } = form.files.get('image') ?? {}
    const before = process.memoryUsage().external
    form.release()
    const freedCount = before - process.memoryUsage().external
    form.release()
    return `${bytes} sent, ${chunks.reduce((sum, { length }) => sum + length, 0) < MANY / 10} ${freedCount > 0.9 * MANY}`
  })
  t.after(close)
  assert.match(await raw(url, [request('y'.repeat(MANY), 'connection: close\r\n')]), /1000000 sent, true true$/)
})

test('memory that a form shares with later bytes is not freed', async () => {
  const form = body('picture')
  const after = 'the next request'
  const piece = Buffer.alloc(form.length + after.length, `${form}${after}`)
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const stream = Object.assign(Readable.from([piece.subarray(0, form.length)]), { headers }) as IncomingMessage
  const read = await readForm(stream, limits, new AbortController().signal)
  assert.equal(read.files.get('image')?.bytes, 'picture'.length)
  read.release()
  assert.equal(piece.toString('latin1', form.length), after)
})
