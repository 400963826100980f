import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { acceptedFiles, isImageName } from '@pixelmill/codecs/image-formats'
import { endpointNames, imageOperations } from '@pixelmill/dashboard/src/api/image-operations'
import { toolForms } from '@pixelmill/dashboard/src/api/tool-forms'
import { curlLines } from '@pixelmill/dashboard/web/curl'
import { isDeclarable } from '@pixelmill/engine/crops/inline-image'
import { operations } from '@pixelmill/engine/tasks/index'
import { openapi } from 'pixelmill-server/http/openapi'
import { exampleCall } from 'pixelmill-server/pages/examples'
import { otherTools, triedAt } from 'pixelmill-server/pages/playground-tools'
import { documentedRoutes } from 'pixelmill-server/routes'

/** What each operation and each format needs. Lists that the code derives are only read; none is kept by hand. */

const root = join(import.meta.dirname, '../..')
const tests = globSync(
  [
    'packages/*/test/{tasks,image}/**/*.test.ts',
    'packages/codecs/test/*/**/*.test.ts',
    'apps/server/{src/images/test,test/{image,tasks}}/**/*.test.ts',
  ],
  { cwd: root },
).map((path) => readFileSync(join(root, path), 'utf8'))
const paths = openapi(documentedRoutes).paths as Record<string, unknown>

for (const name of Object.keys(operations)) {
  describe(`the operation ${name}`, () => {
    const route = documentedRoutes.find((each) => each.name === name) ?? assert.fail(`${name} is not served`)

    test('is in the OpenAPI document, the reference and the playground, with its curl line', () => {
      assert.equal(route.path, `/api/v1/${name}`)
      assert.ok(paths[route.path])
      assert.ok(Object.hasOwn(imageOperations, name), 'run npm run docs')
      assert.equal(triedAt(name), `/playground?tool=${name}`)
      assert.ok(curlLines(exampleCall(route)).includes(route.path))
    })
    test('has a name on the usage page', () => {
      assert.equal(endpointNames[route.path]?.toLowerCase(), name)
    })
    test('has a test', () => {
      assert.ok(tests.some((text) => text.includes(`'${name}'`) || text.includes(`/api/v1/${name}`)))
    })
  })
}

test('every endpoint that takes a picture has a tool, and every tool a form', () => {
  const takesPicture = documentedRoutes.filter(({ form, images }) => images === true || form?.files.includes('image'))
  assert.deepEqual(
    takesPicture.filter(({ name }) => triedAt(name) === undefined).map(({ name }) => name),
    [],
  )
  assert.deepEqual(Object.keys(toolForms), Object.keys(otherTools))
})

test('every endpoint whose calls are listed has a name', () => {
  for (const { path, admission } of documentedRoutes)
    if (['api', 'background', 'batch', 'ai', 'aiPlatform'].includes(admission)) assert.ok(endpointNames[path], path)
})

for (const codec of Object.values(codecs)) {
  test(`${codec.name} is recognised by its names, and may be declared by its type`, () => {
    for (const extension of codec.extensions) {
      assert.ok(acceptedFiles.split(',').includes(`.${extension}`))
      assert.ok(isImageName(`folder/a.${extension.toUpperCase()}`))
    }
    assert.ok(isDeclarable(codec.mime))
    assert.ok(tests.some((text) => text.includes(codec.name)))
  })
}
