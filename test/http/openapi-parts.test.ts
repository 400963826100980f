import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

/** GET /openapi.json?tags=…: a document of some parts of the API. */

interface Document {
  readonly paths: Readonly<Record<string, unknown>>
  readonly tags: readonly { readonly name: string }[]
  readonly webhooks: object
  readonly components: { readonly schemas: object }
}

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())
const ask = (query: string) => fetch(`${server.url}/openapi.json${query}`)
const documentOf = async (query: string): Promise<Document> => (await (await ask(query)).json()) as Document

test('the document has only the parts that are asked for, and what they refer to', async () => {
  const [whole, images] = await Promise.all([documentOf(''), documentOf('?tags=images')])
  assert.ok('/api/v1/convert' in images.paths && !('/api/v2/batch' in images.paths) && '/api/v2/batch' in whole.paths)
  assert.deepEqual(
    images.tags.map(({ name }) => name),
    ['Images'],
  )
  assert.deepEqual(images.webhooks, {})
  assert.ok('Error' in images.components.schemas && !('Batch' in images.components.schemas))
})

test('the order, the case and spaces of the names do not matter', async () => {
  const [one, other] = await Promise.all([ask('?tags=Images,Batch'), ask('?tags=batch,%20IMAGES,batch')])
  assert.equal(await one.text(), await other.text())
})

test('an unknown part is refused, and the known ones are named', async () => {
  const answer = await ask('?tags=images,nothing')
  const { statusMessage, message } = (await answer.json()) as { statusMessage: string; message: string }
  assert.deepEqual([answer.status, statusMessage], [400, 'invalid_params'])
  assert.match(message, /Images, .*Batch/)
})
