import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from 'pixelmill-server/http/openapi'
import { routes } from 'pixelmill-server/routes'
import { signatureHeaders } from 'pixelmill-server/webhooks/signing'

/** What a program that was made from the document has to know of batches. */

interface Media {
  readonly schema: Record<string, unknown> & { readonly properties: Record<string, Record<string, unknown>> }
  readonly example?: string
  readonly encoding?: unknown
}
interface Content {
  readonly description: string
  readonly headers?: Record<string, unknown>
  readonly content?: Record<string, Media>
}
interface Call {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody: Content
  readonly responses: Record<string, Content>
}
const { paths, webhooks, components } = openapi(routes) as unknown as {
  paths: Record<string, Record<string, Call>>
  webhooks: Record<string, { readonly post: Call }>
  components: { readonly schemas: Record<string, { readonly items?: unknown }> }
}

const call = (method: string, path: string) => paths[path]?.[method] ?? assert.fail(path)
const headerNames = ({ parameters = [] }: Call) => parameters.filter((row) => row.in === 'header').map(({ name }) => name)

test('the headers of requests', () => {
  assert.deepEqual(headerNames(call('post', '/api/v2/batch')), ['Idempotency-Key'])
  assert.deepEqual(headerNames(call('get', '/api/v2/batch/{id}/result')), ['Range', 'If-Range', 'If-None-Match'])
  assert.deepEqual(headerNames(call('get', '/api/v2/batch/{id}/events')), ['Last-Event-ID'])
})

test('the archive is a part of type application/zip', () => {
  const { schema, encoding } = call('post', '/api/v2/batch').requestBody.content?.['multipart/form-data'] ?? assert.fail()
  assert.deepEqual(schema.properties.file, {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/zip',
    description: 'The ZIP archive.',
  })
  assert.deepEqual(encoding, { file: { contentType: 'application/zip' } })
})

test('a result comes as a whole, in part, or not again', () => {
  const { 200: whole, 206: part, 304: same } = call('get', '/api/v2/batch/{id}/result').responses
  assert.ok(whole?.headers?.['Content-Length'] && part?.headers?.['Content-Length'] && part.headers['Content-Range'])
  assert.deepEqual(part.content, whole.content)
  assert.deepEqual(Object.keys(whole.content ?? {}), ['application/zip'])
  assert.deepEqual([same?.content, Object.keys(same?.headers ?? {})], [undefined, ['ETag', 'Accept-Ranges']])
  assert.ok(components.schemas.BatchManifest?.items)
})

test('events are text, of which there is an example', () => {
  const { 200: stream, 204: end } = call('get', '/api/v2/batch/{id}/events').responses
  const { schema, example = '' } = stream?.content?.['text/event-stream'] ?? assert.fail()
  assert.deepEqual(schema, { type: 'string' })
  assert.match(example, /^event: completed\nid: completed-2\ndata: \{.*\}\n\n$/)
  assert.deepEqual(Object.keys(end ?? {}), ['description'])
})

test('each success has the phrase of its status', () => {
  const phrases = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => {
      const [status = ''] = Object.keys(responses)
      return `${status} ${responses[status]?.description}`
    }),
  )
  assert.deepEqual([...new Set(phrases)].sort(), ['200 OK', '201 Created', '202 Accepted', '204 No Content'])
})

test('both webhooks, with the headers that are sent and the status body', () => {
  assert.deepEqual(Object.keys(webhooks), ['batch.completed', 'batch.failed'])
  const names = Object.keys(signatureHeaders({ id: 'a', at: new Date(), body: '' }, []))
  const status = call('get', '/api/v2/batch/{id}/status').responses[200]?.content?.['application/json']?.schema
  for (const [name, { post }] of Object.entries(webhooks)) {
    assert.deepEqual(headerNames(post), names)
    assert.ok(post.parameters?.every(({ required }) => required))
    const { properties } = post.requestBody.content?.['application/json']?.schema ?? assert.fail(name)
    assert.equal(properties.type?.const, name)
    assert.deepEqual(status, { $ref: '#/components/schemas/Batch' })
    assert.equal(properties.data?.$ref, status?.$ref)
  }
})

test('a recipe is described once, and referred to where it is sent and answered', () => {
  const json = JSON.stringify(openapi(routes))
  const { components } = openapi(routes)
  assert.ok('Recipe' in components.schemas)
  const references = json.split('"#/components/schemas/Recipe"').length - 1
  assert.ok(references >= 3, 'a preset that is saved, presets and batches')
  assert.equal(json.split('removes a border of one colour').length, 1)
  assert.equal(json.split('Remove a border of one colour').length - 1, 1)
})
