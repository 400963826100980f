import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { form } from '../../../test/support/call.ts'
import { send } from '../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'
import { routes } from '../../routes.ts'
import { templatePath } from '../openapi-request.ts'

/** What the OpenAPI document says of a request, and the server holds to. */

let server: SharedServer
let database: Database
let token: string
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  const { id } = await makeAccount(database, 'team')
  await database.pool.query(`update account set role = 'admin' where id = $1`, [id])
  token = await makeLogin(database, id)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const ID = '00000000-0000-4000-8000-000000000000'
const at = (path: string) => path.replaceAll(/:\w+/g, ID)

for (const { method, path, json, images } of routes) {
  if (!json || images) continue
  test(`${method} ${path} refuses a field that it does not have, and its schema says so`, async () => {
    const { status, error } = await send(server.url, `${method} ${at(path)}`, { token, body: { isAdmin: true, role2: 1 } })
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'])
    const unknownTexts = error?.issues?.filter(({ code }) => code === 'unrecognized_keys').map((issue) => issue.path)
    assert.deepEqual(unknownTexts, [['isAdmin'], ['role2']])
    const document = (await send<{ paths: Record<string, Record<string, unknown>> }>(server.url, 'GET /openapi.json')).body
    const operation = document.paths[templatePath(path)]?.[method.toLowerCase()]
    assert.match(JSON.stringify((operation as { requestBody: object }).requestBody), /"additionalProperties":false/)
  })
}

test('a user cannot set a role', async () => {
  const person = await makeAccount(database, 'free')
  const own = await makeLogin(database, person.id)
  const { status, error } = await send(server.url, 'PATCH /api/user', { token: own, body: { role: 'admin' } })
  assert.deepEqual([status, error?.issues?.[0]?.path], [400, ['role']])
})

for (const { method, path, query, form: fields, handlerParsesQuery } of routes) {
  // It checks a signature before: the tests of delivery have its parameters.
  if (handlerParsesQuery) continue
  for (const name of Object.keys(query?.shape ?? {})) {
    test(`${method} ${path}?${name}= is refused`, async () => {
      for (const blank of ['', '%20']) {
        const { status, error } = await send(server.url, `${method} ${at(path)}?${name}=${blank}`, {
          token,
          ...(fields && { body: form({}, { image: Buffer.from('an image') }) }),
        })
        assert.deepEqual([status, error?.statusMessage, error?.issues?.[0]?.path], [400, 'invalid_params', [name]])
      }
    })
  }
}

test('a path without a parameter has no methods of one with a parameter', async () => {
  for (const method of ['OPTIONS', 'DELETE', 'POST']) {
    const { status, headers } = await send(server.url, `${method} /api/v2/batch/limits`, { token })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'], method)
  }
  assert.equal((await send(server.url, 'GET /api/v2/batch/limits', { token })).status, 200)
  assert.equal((await send(server.url, `DELETE /api/v2/batch/${ID}`, { token })).status, 404)
})

test('every documented example of a request is accepted', async () => {
  const document = (await send(server.url, 'GET /openapi.json')).body
  const uris = JSON.stringify(document).match(/data:image\/png;base64,[^"\\]+/g) ?? []
  assert.ok(uris.length > 4)
  for (const image of new Set<string>(uris)) {
    const { status, error } = await send(server.url, 'POST /v1/ai/smart-crop', { token, body: { image } })
    assert.equal(status, 200, String(error?.message))
  }
})
