import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { partOfDocument } from '../../scripts/docs/part-of-document.ts'
import { API_TYPES, headerOfTypes } from '../../scripts/write-api-types.ts'

const root = join(import.meta.dirname, '../..')
const refersTo = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } })

for (const path of Object.values(API_TYPES)) {
  test(`${path} is built from the document as it is now`, () => {
    assert.ok(readFileSync(join(root, path), 'utf8').startsWith(headerOfTypes()), 'run node scripts/write-api-types.ts')
  })

  test(`${path} is not committed`, () => {
    assert.ok(readFileSync(join(root, '.gitignore'), 'utf8').split('\n').includes(path))
  })
}

test('a part of the document has the operations of its tags, and what these refer to', () => {
  const document = {
    openapi: '3.1.0',
    paths: {
      '/images': { post: { tags: ['Images'], ...refersTo('Image') }, get: { tags: ['System'], ...refersTo('Health') } },
      '/health': { get: { tags: ['System'], ...refersTo('Health') } },
    },
    webhooks: { ended: { post: { tags: ['Batch'], ...refersTo('Event') } } },
    components: {
      securitySchemes: { key: {} },
      schemas: {
        Image: { properties: { size: { $ref: '#/components/schemas/Size' } } },
        Size: { properties: { of: { $ref: '#/components/schemas/Image' } } },
        Health: { type: 'string' },
        Event: { type: 'object' },
        /** Nothing refers to it: it describes a file inside an answer. */
        Manifest: { items: { $ref: '#/components/schemas/Entry' } },
        Entry: { type: 'object' },
      },
    },
  }
  const part = partOfDocument(document, ['Images'])
  assert.deepEqual(part.paths, { '/images': { post: document.paths['/images'].post } })
  assert.deepEqual(Object.keys(part.components.schemas), ['Image', 'Size', 'Event', 'Manifest', 'Entry'])
  assert.deepEqual({ ...part, paths: 0, components: 0 }, { ...document, paths: 0, components: 0 })
})
