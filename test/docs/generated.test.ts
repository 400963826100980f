import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SwaggerParser from '@apidevtools/swagger-parser'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import { operations } from '@pixelmill/engine/tasks/index'
import { Validator } from '@seriousme/openapi-schema-validator'
import { errors } from 'pixelmill-server/contract/errors'
import { openapi } from 'pixelmill-server/http/openapi'
import { templatePath } from 'pixelmill-server/http/openapi-request'
import type { Reply } from 'pixelmill-server/http/route'
import { routes } from 'pixelmill-server/routes'
import { generatedPages } from '../../scripts/docs/pages.ts'

for (const [path, text] of Object.entries(generatedPages())) {
  test(`${path} is what \`npm run docs\` writes`, () => {
    assert.equal(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), text)
  })
}

const document = openapi(routes)

test('two independent validators find nothing wrong with the OpenAPI document', async () => {
  const { valid, errors: faults } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(faults))
  await SwaggerParser.validate(structuredClone(document) as never)
})

test('every route is in the document, with its method', () => {
  const paths = document.paths as Record<string, Record<string, unknown>>
  for (const { path, method } of routes) assert.ok(paths[templatePath(path)]?.[method.toLowerCase()], `${method} ${path}`)
})

test('the OpenAPI document says which engine makes the answers', () => {
  assert.equal(document.info['x-engine'], ENGINE)
  assert.ok(Number.isInteger(ENGINE) && ENGINE >= 2)
})

test('form fields have their types, ranges, defaults, and what is required', () => {
  const schema = (name: keyof typeof operations) => {
    const { post } = (document.paths as never as Record<string, { post: never }>)[`/api/v1/${name}`] ?? assert.fail(name)
    return (
      post as { requestBody: { content: Record<string, { schema: { properties: Record<string, object>; required: string[] } }> } }
    ).requestBody.content['multipart/form-data']?.schema
  }
  const { properties = {}, required = [] } = schema('convert') ?? {}
  const has = (name: string, expected: object) => assert.deepEqual({ ...properties[name], ...expected }, properties[name], name)
  has('quality', { type: 'number', minimum: 1, maximum: 100, default: 75 })
  has('width', { type: 'number', minimum: 1, maximum: 10_000 })
  has('blur', { type: 'number', minimum: 0.3, maximum: 100 })
  has('rotate', { type: 'number', minimum: 0, maximum: 360 })
  has('grayscale', { type: 'boolean' })
  has('format', { type: 'string', enum: ['webp', 'avif', 'jpeg', 'png', 'jxl', 'best'], default: 'webp' })
  // The image may be sent by its address instead.
  assert.deepEqual(required, [])
  assert.deepEqual(schema('resize')?.required, ['width', 'height'])
  assert.deepEqual(schema('crop')?.required, ['x', 'y', 'width', 'height'])
  assert.deepEqual(schema('watermark')?.required, ['watermark'])
})

const page = async (path: string): Promise<Reply> => {
  const route = routes.find((row) => row.path === path) ?? assert.fail(path)
  // These routes read nothing of their call but a header.
  return route.handle({ request: { header: () => undefined } } as never)
}

for (const path of ['/docs', '/docs/errors']) {
  test(`${path} needs nothing from elsewhere and runs nothing`, async () => {
    const { body, headers } = await page(path)
    assert.doesNotMatch(String(body), /<script|(?<!xmlns)="https?:\/\/|@import|url\(/)
    assert.match(
      headers['content-security-policy'] ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; img-src data:;/,
    )
  })
}

test('the pages have every endpoint and every error', async () => {
  const reference = String((await page('/docs')).body)
  const list = String((await page('/docs/errors')).body)
  for (const name of Object.keys(operations)) assert.ok(reference.includes(`/api/v1/${name}`), name)
  for (const name of Object.keys(errors)) assert.ok(list.includes(`id="${name}"`), name)
})
