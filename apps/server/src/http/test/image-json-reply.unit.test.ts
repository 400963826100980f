import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { MiB } from '@pixelmill/codecs/contract/limits'
import { OutgoingImage, outgoingImage } from '@pixelmill/engine/crops/inline-image'
import { until } from '@pixelmill/engine/test/support/until'
import { imageJsonReply } from '../image-json-reply.ts'

const bytesOf = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7919) >> 4))
const uriOf = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`

async function chunksOf(body: unknown): Promise<readonly Buffer[]> {
  const reply = imageJsonReply(body)
  assert.ok(reply.body instanceof Readable)
  const chunks: Buffer[] = []
  for await (const chunk of reply.body) chunks.push(chunk)
  assert.equal(reply.headers['content-length'], String(Buffer.concat(chunks).length))
  return chunks
}

const sentOf = async (body: unknown) => Buffer.concat(await chunksOf(body)).toString()

describe('an answer is the same as from JSON.stringify', () => {
  // Sizes around a group of three bytes, and around what is encoded at once.
  for (const size of [0, 1, 2, 3, 4, 49_151, 49_152, 49_153, 98_304, 200_000]) {
    test(`with an image of ${size} bytes`, async () => {
      const bytes = bytesOf(size)
      const answer = (image: unknown) => ({
        image,
        more: [image, { image, text: 'é "€" 😀' }],
        none: undefined,
        when: new Date(0),
      })
      assert.equal(await sentOf(answer(new OutgoingImage('image/png', bytes))), JSON.stringify(answer(uriOf(bytes))))
    })
  }

  test('without an image', async () => {
    assert.equal(
      await sentOf({ text: 'a\u0000\u2028', list: [1, null] }),
      JSON.stringify({ text: 'a\u0000\u2028', list: [1, null] }),
    )
  })

  test('that is an image', async () => {
    assert.equal(await sentOf(new OutgoingImage('image/png', bytesOf(5))), JSON.stringify(uriOf(bytesOf(5))))
  })
})

test('its data URIs match the schema of the field', async () => {
  const sentValue = JSON.parse(await sentOf([new OutgoingImage('image/jpeg', bytesOf(100))]))
  assert.equal(outgoingImage.parse(sentValue[0]), `data:image/jpeg;base64,${bytesOf(100).toString('base64')}`)
})

test('no piece of an answer is large', async () => {
  const chunks = await chunksOf({ images: Array.from({ length: 3 }, () => new OutgoingImage('image/png', bytesOf(5 * MiB))) })
  assert.ok(chunks.length > 200)
  assert.deepEqual(
    chunks.filter(({ length }) => length > 64 * 1024),
    [],
  )
})

test('pieces are made as the client reads them', async () => {
  const image = new OutgoingImage('image/png', Buffer.alloc(64 * MiB))
  const { body, headers } = imageJsonReply({ image })
  assert.ok(body instanceof Readable)
  let madeCount = 0
  body.on('data', (chunk: Buffer) => {
    madeCount += chunk.length
  })
  body.pause()
  await using server = await serving((answer) => void body.pipe(answer.writeHead(200, headers)))
  const { body: answer } = await fetch(server.url)
  const reader = answer?.getReader() ?? assert.fail('no body')
  await reader.read()
  // Until the client's buffers are full, and no more is made.
  let ahead = -1
  const isFull = async () => {
    const before = ahead
    ahead = madeCount
    return ahead === before
  }
  assert.ok(await until(isFull))
  await reader.cancel()
  assert.ok(ahead < 32 * MiB, `${ahead} bytes were made ahead of a client that took the first`)
})

async function serving(handle: (answer: import('node:http').ServerResponse) => void) {
  const server = createServer((_request, answer) => handle(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
