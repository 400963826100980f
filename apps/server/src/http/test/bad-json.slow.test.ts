import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { read } from '../../../test/support/call.ts'
import {
  type JsonServer,
  jsonRoutes,
  notJson,
  startJsonServer,
  strangeObjects,
  strangeValues,
} from '../../../test/support/json-bodies.ts'
import { fieldsOf } from '../../../test/support/json-shape.ts'

let at: JsonServer
before(async () => {
  at = await startJsonServer()
})
after(() => at[Symbol.asyncDispose]())

for (const route of jsonRoutes) {
  const name = `${route.method} ${route.path}`

  test(`${name} refuses every body that is not JSON`, () => at.assertBodiesRefused(route, Object.keys(notJson)))

  test(`${name} refuses every object that it does not accept`, () => at.assertBodiesRefused(route, Object.keys(strangeObjects)))

  for (const field of Object.keys(fieldsOf(route))) {
    test(`${name} names the field "${field}" for every value that it does not accept`, async () => {
      await at.assertValuesRefused(route, field, Object.keys(strangeValues), 6)
      await at.assertUntouched()
    })
  }
}

test('no route waits longer than the time limit for its body', () => at.assertTimedOut(jsonRoutes))

test('no body has changed the prototype of all objects of the server', async () => {
  assert.equal((await read(await fetch(`${at.server.url}/openapi.json`))).status, 200)
  await at.assertUntouched()
  assert.doesNotMatch(at.server.output(), /internal_error|"level":"?(50|error)/)
})
