import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

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

test('the whole document has all endpoints, also those for clients of other services and those of the documentation', async () => {
  const { paths } = await documentOf('')
  for (const path of ['/shrink', '/output/{output}', '/llms.txt', '/openapi.json', '/docs']) assert.ok(path in paths, path)
  assert.ok('/shrink' in (await documentOf('?tags=tinify')).paths)
})

/** What generators cannot compile: lists of types, forms that are lists, constant booleans, and defaults of several forms or of objects. */
function assertPlain(value: unknown, at: string, schemas: Readonly<Record<string, object>>): void {
  if (typeof value !== 'object' || value === null) return
  const { type, default: otherwise, $ref, anyOf, const: constant } = value as Readonly<Record<string, unknown>>
  // Tells two forms apart.
  if (typeof constant === 'boolean') assert.match(at, /\/oneOf\//)
  if (Array.isArray(anyOf)) assert.ok(!anyOf.some((form) => form.type === 'array'), at)
  if (type === 'object' || type === 'array')
    assert.ok(
      [otherwise ?? []].flat().every((each) => typeof each !== 'object'),
      `${at}: ${JSON.stringify(otherwise)}`,
    )
  if (Array.isArray(type)) assert.equal(type.filter((each) => each !== 'null').length, 1, at)
  const namedValue = typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : undefined
  if (typeof otherwise === 'string') assert.ok(!anyOf && !(namedValue && 'anyOf' in namedValue), at)
  for (const [key, each] of Object.entries(value)) assertPlain(each, `${at}/${key}`, schemas)
}

test('the document has no schema that generators of Go and Java cannot compile', async () => {
  const document = await documentOf('')
  assertPlain(document, '', document.components.schemas as Readonly<Record<string, object>>)
})

test('constants of different enums have different names', async () => {
  const { components } = await documentOf('')
  const enums = Object.values(components.schemas as Readonly<Record<string, { enum?: string[]; 'x-enum-varnames'?: string[] }>>)
  const names = enums.flatMap(({ enum: values = [], 'x-enum-varnames': namedTexts = [] }) => {
    assert.equal(namedTexts.length, values.length)
    return namedTexts
  })
  assert.equal(new Set(names).size, names.length)
  assert.ok(['BATCH_STATUS_FAILED', 'ENTRY_STATUS_FAILED', 'METADATA_POLICY_ALL_GPS'].every((name) => names.includes(name)))
})

test('POST /output is described as the JSON that it reads', async () => {
  const { paths } = (await documentOf('?tags=tinify')) as unknown as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: { properties: object } }> } } }>
  }
  const { content } = paths['/output/{output}']?.post.requestBody ?? assert.fail()
  assert.deepEqual(Object.keys(content), ['application/json'])
  assert.deepEqual(Object.keys(content['application/json']?.schema.properties ?? {}), [
    'resize',
    'convert',
    'transform',
    'preserve',
  ])
})
