import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { read } from '../../../test/support/call.ts'
import {
  type JsonServer,
  jsonRoutes,
  notJson,
  requiredBearer,
  startJsonServer,
  strangeObjects,
} from '../../../test/support/json-bodies.ts'
import { fieldsOf } from '../../../test/support/json-shape.ts'
import { raw } from '../../../test/support/raw.ts'

/** Every route and field with some bodies and values; bad-json.slow.test.ts has every route with all of them. */

let at: JsonServer
before(async () => {
  at = await startJsonServer()
})
after(() => at[Symbol.asyncDispose]())

/** What a route could get wrong by itself; how bodies are read is the same for all routes. */
const BODIES = ['an empty body', 'half of an object', 'an array', 'text/plain', 'a byte more than allowed', 'an empty object']
const VALUES = ['true', 'a fraction', 'another string', 'U+0000', 'an array', 'an object']

for (const route of jsonRoutes) {
  test(`${route.method} ${route.path} refuses bodies that are not JSON, and names each field whose value is wrong`, async () => {
    await at.assertBodiesRefused(route, BODIES)
    for (const field of Object.keys(fieldsOf(route))) await at.assertValuesRefused(route, field, VALUES, 4)
    await at.assertUntouched()
  })
}

const plain = jsonRoutes.find(({ images }) => !images)
const withImages = jsonRoutes.find(({ images }) => images)
assert.ok(plain && withImages)
for (const route of [plain, withImages]) {
  for (const what of [...Object.keys(notJson), ...Object.keys(strangeObjects)])
    test(`${route.method} ${route.path} refuses ${what}`, () => at.assertBodiesRefused(route, [what]))
}

test('a call without a credential is refused before its body has come', async () => {
  const closedRoutes = jsonRoutes.filter(requiredBearer)
  assert.ok(closedRoutes.length > 3)
  const heads = closedRoutes.map(
    (route) =>
      `${route.method} ${at.pathOf(route)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n`,
  )
  // If the server waited for the body, the answer would be upload_timeout. The AI endpoints wait for a small one.
  const answers = await Promise.all(heads.map((head) => raw(at.server.url, [head], { ms: 10_000 })))
  for (const [index, answer] of answers.entries()) assert.match(answer, /^HTTP\/1.1 401 missing_or_invalid_/, `${heads[index]}`)
})

test('a body that stops coming is upload_timeout', () => at.assertTimedOut([plain, withImages]))

test('no body has changed the prototype of all objects of the server', async () => {
  assert.equal((await read(await fetch(`${at.server.url}/openapi.json`))).status, 200)
  await at.assertUntouched()
  assert.doesNotMatch(at.server.output(), /internal_error|"level":"?(50|error)/)
})
