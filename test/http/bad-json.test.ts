import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { z } from 'zod'
import { credentials } from '../../src/admission/index.ts'
import type { Database } from '../../src/database/database.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/routes/index.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { type Answer, read } from '../support/call.ts'
import { fieldsOf, takes } from '../support/json-shape.ts'
import { raw } from '../support/raw.ts'
import { type Server, startServer } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'

/** Every route with a JSON body: a new one is tried by itself. */
const jsonRoutes = routes.filter(({ json }) => json)

type Bearer = 'apiKey' | 'loginToken'

let server: Server
let database: Database
let id: string
let bearers: Readonly<Record<Bearer, string>>
let untouched: Awaited<ReturnType<typeof tableContents>>
before(async () => {
  server = await startServer({ UPLOAD_TIMEOUT_S: '1' })
  database = await openServerDatabase(server.dir)
  const account = await makeAccount(database, 'team')
  await database.pool.query(`update account set role = 'admin' where id = $1`, [account.id])
  id = account.id
  bearers = { apiKey: account.key, loginToken: await makeLogin(database, id) }
  untouched = await tableContents(database)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const KB = 1024
const MB = KB * KB
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const json = { 'content-type': 'application/json' }

const pathOf = ({ path }: Route) => path.replaceAll(/:\w+/g, id)

const wanted = ({ admission }: Route): Bearer | undefined =>
  (['loginToken', 'apiKey'] as const).find((name) => (credentials[admission] as readonly string[]).includes(name))

function bearerOf(route: Route): string | undefined {
  const credential = wanted(route)
  return credential && bearers[credential]
}

async function send(
  route: Route,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = json,
): Promise<Answer> {
  const bearer = bearerOf(route)
  const init = {
    method: route.method,
    body,
    headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  }
  return read(await fetch(server.url + pathOf(route), init as RequestInit))
}

async function assertRefused({ status, error }: Answer, what = ''): Promise<void> {
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], what)
  assert.ok((error?.issues?.length ?? 0) > 0, what)
  // Our sentences, not the library's.
  for (const { message } of error?.issues ?? []) assert.match(message, /^(?!Invalid|Too |Unrec)[A-Z].*\.$/, `${what}: ${message}`)
}

/** An optional field that is null or blank counts as absent. */
const isLeftOut = (schema: z.ZodType, text: string) => schema.safeParse(undefined).success && /^(null|"\s*(\\n)?\s*")$/.test(text)

type Sent = readonly [body: string | Buffer | ReadableStream, headers?: Record<string, string>]

/** Bodies that no route takes, whatever its fields. */
const notJson: Readonly<Record<string, () => Sent>> = {
  'an empty body': () => [''],
  'white space': () => [' \n'],
  'half of an object': () => ['{"name": "x"'],
  'text after the object': () => ['{} {}'],
  'single quotes': () => [`{'name': 'x'}`],
  'a comma at the end': () => ['{"name": "x",}'],
  NaN: () => ['{"credits": NaN}'],
  'an array': () => ['[]'],
  'an array of an object': () => ['[{}]'],
  null: () => ['null'],
  'a number': () => ['5'],
  'a string': () => ['"{}"'],
  true: () => ['true'],
  'UTF-16': () => [Buffer.from('\uFEFF{}', 'utf16le')],
  'bytes that are no UTF-8': () => [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  'no content type': () => [Buffer.from('{}'), {}],
  'text/plain': () => ['{}', { 'content-type': 'text/plain' }],
  'a form': () => ['name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
  'a multipart form': () => ['--a--', { 'content-type': 'multipart/form-data; boundary=a' }],
  'a type that only begins like JSON': () => ['{}', { 'content-type': 'application/jsonp' }],
  'another charset': () => ['{}', { 'content-type': 'application/json; charset=utf-16' }],
  gzip: () => [gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }],
  'a body that is only said to be gzip': () => ['{}', { ...json, 'content-encoding': 'gzip' }],
  'gzip that is not said to be': () => [gzipSync('{}')],
  'arrays in arrays': () => [nested('[', ']', 10_000)],
  'arrays in arrays, never closed': () => ['['.repeat(60_000)],
  'a byte more than allowed': () => [`{}${' '.repeat(64 * KB - 1)}`],
  'ten megabytes': () => [`{}${' '.repeat(10 * MB)}`],
  'more than allowed, without a length': () => [new Blob([`{}${' '.repeat(64 * KB)}`]).stream()],
}

/** Objects that some routes take, since what they do not know they ignore. */
const strangeObjects: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'unknown names': '{"nothing": 1, "": 2}',
  'objects in objects': nested('{"a":', '}', 10_000),
  'what would be an administrator, in the prototype': '{"__proto__": {"role": "admin", "everywhere": true, "name": "x"}}',
  'a constructor': '{"constructor": {"prototype": {"role": "admin", "name": "x"}}}',
  'methods of all objects': '{"toString": 1, "hasOwnProperty": 2, "valueOf": 3}',
}

/** Values that most fields refuse; each field says for itself which. */
const strangeValues: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  zero: '0',
  'a negative number': '-1',
  'a fraction': '1.5',
  'a number beyond the largest credit': '1000000001',
  'a number that is not exact': '9007199254740993',
  'a number without end': '1e400',
  'an empty string': '""',
  'white space': '"  \\n "',
  'another string': '"x"',
  'a number as text': '"100"',
  'U+0000': '"a\\u0000b"',
  '60,000 characters': `"${'x'.repeat(60_000)}"`,
  'an array': '[]',
  'an array of texts': '["x"]',
  'an object': '{}',
  'an object that looks like text': '{"toString": "x", "length": 8}',
  'deep arrays': nested('[', ']', 10_000),
  SQL: `"'; drop table account; --"`,
}

for (const route of jsonRoutes) {
  const name = `${route.method} ${route.path}`

  for (const [what, make] of Object.entries(notJson)) {
    // A body that may be left out may be empty.
    if (what === 'an empty body' && route.json?.safeParse(undefined).success) continue
    test(`${name} refuses ${what}`, async () => {
      await assertRefused(await send(route, ...make()))
      assert.deepEqual(await tableContents(database), untouched)
    })
  }

  for (const [what, body] of Object.entries(strangeObjects).filter(([, text]) => !takes(route, text))) {
    test(`${name} refuses ${what}`, async () => {
      await assertRefused(await send(route, body))
      assert.deepEqual(await tableContents(database), untouched)
    })
  }

  for (const [field, schema] of Object.entries(fieldsOf(route))) {
    test(`${name} names the field "${field}" for every value that it does not take`, async () => {
      const refused = Object.entries(strangeValues).filter(
        ([what, text]) => what === 'U+0000' || !(schema.safeParse(JSON.parse(text)).success || isLeftOut(schema, text)),
      )
      assert.ok(refused.length > 5)
      for (const [what, text] of refused) {
        // U+0000 is looked for in bodies that are right otherwise.
        const answer = await send(route, `{${JSON.stringify(field)}: ${text}}`)
        await assertRefused(answer, what)
        // A body with images is refused as a whole where it is too deep.
        if (what === 'U+0000' || (route.images && what === 'deep arrays')) continue
        assert.ok(
          answer.error?.issues?.some(({ path }) => path[0] === field),
          `${what}: ${JSON.stringify(answer.error?.issues)}`,
        )
      }
      await assertRefused(await send(route, JSON.stringify({ [field]: 'x'.repeat(MB) })), 'a megabyte')
      assert.deepEqual(await tableContents(database), untouched)
    })
  }
}

test('strangers are refused before a body has come', async () => {
  const closed = jsonRoutes.filter(wanted)
  assert.ok(closed.length > 3)
  const heads = closed.map(
    (route) =>
      `${route.method} ${pathOf(route)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n`,
  )
  // Had anybody waited for the body, the answer would be upload_timeout. The AI endpoints wait for a small one: contract §7.
  const answers = await Promise.all(heads.map((head) => raw(server.url, [head], { ms: 10_000 })))
  for (const [index, answer] of answers.entries()) assert.match(answer, /^HTTP\/1.1 401 missing_or_invalid_/, `${heads[index]}`)
})

test('no route waits for ever for its body', async () => {
  const unfinished = ['Content-Length: 100\r\n\r\n{"name', 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"n\r\n']
  const requestsTo = (route: Route) => {
    const bearer = bearerOf(route)
    const authorization = bearer ? `Authorization: Bearer ${bearer}\r\n` : ''
    const head = `${route.method} ${pathOf(route)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}Content-Type: application/json\r\n`
    return unfinished.map((rest) => head + rest)
  }
  // Those that take images have a few places for an account, and wait for none.
  const [plain, withImages] = [jsonRoutes.filter(({ images }) => !images), jsonRoutes.filter(({ images }) => images)]
  for (const routes of [plain, ...withImages.map((route) => [route])]) {
    const requests = routes.flatMap(requestsTo)
    const answers = await Promise.all(requests.map((request) => raw(server.url, [request], { ms: 10_000 })))
    for (const [index, answer] of answers.entries()) assert.match(answer, /^HTTP\/1.1 408 upload_timeout/, `${requests[index]}`)
  }
  assert.deepEqual(await tableContents(database), untouched)
})

test('no body has left anything in the prototype of all objects of the server', async () => {
  assert.equal((await read(await fetch(`${server.url}/openapi.json`))).status, 200)
  assert.deepEqual(await tableContents(database), untouched)
  assert.doesNotMatch(server.output(), /internal_error|"level":"?(50|error)/)
})
