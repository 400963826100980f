import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPONENT, component } from '@pixelmill/codecs/contract/component'
import { openapi } from 'pixelmill-server/http/openapi'
import { withComponents } from 'pixelmill-server/http/openapi-components'
import { jsonSchema } from 'pixelmill-server/http/openapi-request'
import { routes } from 'pixelmill-server/routes'
import { z } from 'zod'

/** Schemas by name: one type of a generated client for each. */

const size = z.object({ width: z.int(), unit: z.enum(['px', 'pt']).default('px') }).meta(component('Size'))

test('a schema with a name becomes a reference, with its own description and default beside it', () => {
  const use = z.object({ box: size.describe('Of the box.').default({ width: 1, unit: 'px' }), none: size.nullable() })
  const [document, schemas] = withComponents(jsonSchema(use, 'input'))
  const { properties } = document as { properties?: object }
  assert.deepEqual(properties, {
    box: { $ref: '#/components/schemas/Size', description: 'Of the box.', default: { width: 1, unit: 'px' } },
    none: { anyOf: [{ $ref: '#/components/schemas/Size' }, { type: 'null' }] },
  })
  assert.deepEqual(Object.keys(schemas), ['Size'])
})

test('what requests and answers share says only what is true of both', () => {
  const [, { Size }] = withComponents([jsonSchema(size, 'output'), jsonSchema(size, 'input')])
  assert.deepEqual(Size?.required, ['width'])
  assert.ok(!('additionalProperties' in (Size ?? {})))
  const [, { Size: answerSize }] = withComponents(jsonSchema(size, 'output'))
  assert.deepEqual([answerSize?.required, answerSize?.additionalProperties], [['width', 'unit'], false])
})

test('two schemas of one name must have the same fields', () => {
  const other = z.object({ width: z.string() }).meta(component('Size'))
  assert.throws(() => withComponents([jsonSchema(size, 'input'), jsonSchema(other, 'input')]), /Two schemas are called Size/)
})

test('a field may have the name of a keyword', () => {
  const odd = z.object({ description: z.string(), required: z.boolean() }).meta(component('Odd'))
  const [, { Odd }] = withComponents([jsonSchema(odd, 'output'), jsonSchema(odd, 'input')])
  assert.deepEqual(Object.keys(Odd?.properties ?? {}), ['description', 'required'])
})

const document = openapi(routes)
const text = JSON.stringify(document)

test('every reference leads somewhere, every component is used, and no name is left over', () => {
  const { schemas, examples } = document.components
  const references = new Set([...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, path = '']) => path))
  const inText = ['BatchManifest', 'ImagesManifest', 'Recipe']
  const have = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(examples).map((name) => `examples/${name}`),
  ]
  for (const path of references) assert.ok(have.includes(path), path)
  for (const path of have) assert.ok(references.has(path) || inText.some((name) => path.endsWith(name)), path)
  assert.ok(!text.includes(COMPONENT))
})

test('nothing of a recipe, of an error, of a batch and of an account is there twice', () => {
  for (const fields of [
    '"statusMessage":{"type":"string","enum"',
    '"perceptualHash":{',
    '"resultUrl":{',
    '"outputTokens":{"type":"integer","minimum":0,"maximum":9007199254740991},"totalTokens"',
    '"lastFour":{',
  ])
    assert.ok(text.split(fields).length - 1 <= 2, fields)
})

interface Shape {
  readonly type?: string
  readonly format?: string
  readonly contentMediaType?: string
}

test('files in forms and answers are binary in the words of OpenAPI 3.0 and 3.1', () => {
  const all: Shape[] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    // The recipe in a form is text.
    const shape: Shape = value
    if (shape.contentMediaType !== undefined && shape.contentMediaType !== 'application/json') all.push(shape)
    Object.values(value).forEach(walk)
  }
  walk(document.paths)
  assert.ok(all.length >= 30)
  for (const { type, format, contentMediaType } of all)
    assert.deepEqual([type, format], ['string', 'binary'], String(contentMediaType))
})
