import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { z } from 'zod'
import { credentials } from '../../src/admission/index.ts'
import type { Database } from '../../src/database/database.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/routes.ts'
import { makeAccount, makeLogin, openServerDatabase } from './accounts.ts'
import { type Answer, read } from './call.ts'
import { fieldsOf, takes } from './json-shape.ts'
import { raw } from './raw.ts'
import { type Server, startServer } from './server.ts'
import { tableContents } from './table-contents.ts'

/** Bodies that routes of JSON have to refuse, and a server that is sent them. */

/** Every route with a JSON body. */
export const jsonRoutes = routes.filter(({ json }) => json)

type Bearer = 'apiKey' | 'loginToken'

const KB = 1024
const MB = KB * KB
const nestedJson = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const json = { 'content-type': 'application/json' }

/** An optional field that is null or blank counts as absent. */
const isLeftOut = (schema: z.ZodType, text: string) => schema.safeParse(undefined).success && /^(null|"\s*(\\n)?\s*")$/.test(text)

type Sent = readonly [body: string | Buffer | ReadableStream, headers?: Record<string, string>]

/** Bodies that no route accepts, whatever its fields. */
export const notJson: Readonly<Record<string, () => Sent>> = {
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
  'arrays in arrays': () => [nestedJson('[', ']', 10_000)],
  'arrays in arrays, never closed': () => ['['.repeat(60_000)],
  'a byte more than allowed': () => [`{}${' '.repeat(64 * KB - 1)}`],
  'ten megabytes': () => [`{}${' '.repeat(10 * MB)}`],
  'more than allowed, without a length': () => [new Blob([`{}${' '.repeat(64 * KB)}`]).stream()],
}

/** Objects that some routes accept, as they ignore fields that they do not know. */
export const strangeObjects: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'unknown names': '{"nothing": 1, "": 2}',
  'objects in objects': nestedJson('{"a":', '}', 10_000),
  'what would be an administrator, in the prototype': '{"__proto__": {"role": "admin", "everywhere": true, "name": "x"}}',
  'a constructor': '{"constructor": {"prototype": {"role": "admin", "name": "x"}}}',
  'methods of all objects': '{"toString": 1, "hasOwnProperty": 2, "valueOf": 3}',
}

/** Values that most fields refuse; the schema of the field says which. */
export const strangeValues: Readonly<Record<string, string>> = {
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
  'deep arrays': nestedJson('[', ']', 10_000),
  SQL: `"'; drop table account; --"`,
}

export async function assertRefused({ status, error }: Answer, what = ''): Promise<void> {
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], what)
  assert.ok((error?.issues?.length ?? 0) > 0, what)
  // The sentences of this product, not those of the library.
  for (const { message } of error?.issues ?? []) assert.match(message, /^(?!Invalid|Too |Unrec)[A-Z].*\.$/, `${what}: ${message}`)
}

/** The credential that a route asks for. */
export const requiredBearer = ({ admission }: Route): Bearer | undefined =>
  (['loginToken', 'apiKey'] as const).find((name) => (credentials[admission] as readonly string[]).includes(name))

/** A body whose client sends no more after the first bytes. */
const unfinishedTexts = ['Content-Length: 100\r\n\r\n{"name', 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"n\r\n']

export interface JsonServer extends AsyncDisposable {
  readonly server: Server
  pathOf(route: Route): string
  /** Each of these bodies of `notJson` and of `strangeObjects` is refused, and changes no table. */
  assertBodiesRefused(route: Route, bodies: readonly string[]): Promise<void>
  /** Each of these values, where the field does not accept it, is refused by the name of the field. */
  assertValuesRefused(route: Route, field: string, values: readonly string[], leastRefused: number): Promise<void>
  assertTimedOut(routes: readonly Route[]): Promise<void>
  assertUntouched(): Promise<void>
}

/** A server with an administrator whose plan allows everything, and an upload limit of one second. */
export async function startJsonServer(): Promise<JsonServer> {
  const server = await startServer({ UPLOAD_TIMEOUT_S: '1', RENDERERS: '1' })
  const database: Database = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(database, 'team')
  await database.pool.query(`update account set role = 'admin' where id = $1`, [id])
  const bearers: Readonly<Record<Bearer, string>> = { apiKey: key, loginToken: await makeLogin(database, id) }
  const untouchedValue = await tableContents(database)
  const assertUntouched = async () => assert.deepEqual(await tableContents(database), untouchedValue)
  const pathOf = ({ path }: Route) => path.replaceAll(/:\w+/g, id)
  const bearerOf = (route: Route): string | undefined => {
    const credential = requiredBearer(route)
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

  const requestsTo = (route: Route) => {
    const bearer = bearerOf(route)
    const authorization = bearer ? `Authorization: Bearer ${bearer}\r\n` : ''
    const head = `${route.method} ${pathOf(route)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}Content-Type: application/json\r\n`
    return unfinishedTexts.map((rest) => head + rest)
  }

  return {
    server,
    pathOf,
    assertUntouched,
    async assertBodiesRefused(route, bodies) {
      for (const what of bodies) {
        // A body that may be left out may be empty.
        if (what === 'an empty body' && route.json?.safeParse(undefined).success) continue
        const object = strangeObjects[what]
        if (object !== undefined && takes(route, object)) continue
        const [body, headers] = object === undefined ? (notJson[what]?.() ?? assert.fail(what)) : [object]
        await assertRefused(await send(route, body, headers), what)
      }
      await assertUntouched()
    },
    async assertValuesRefused(route, field, values, leastRefused) {
      const schema = fieldsOf(route)[field] ?? assert.fail(field)
      const refusedTexts = values
        .map((what) => [what, strangeValues[what] ?? assert.fail(what)] as const)
        .filter(([what, text]) => what === 'U+0000' || !(schema.safeParse(JSON.parse(text)).success || isLeftOut(schema, text)))
      assert.ok(refusedTexts.length >= leastRefused, `${field}: ${refusedTexts.length}`)
      for (const [what, text] of refusedTexts) {
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
      if (values.length === Object.keys(strangeValues).length)
        await assertRefused(await send(route, JSON.stringify({ [field]: 'x'.repeat(MB) })), 'a megabyte')
    },
    async assertTimedOut(some) {
      // An account may send few bodies with images at once, and none waits: those routes are tried one after the other.
      const plain = some.filter(({ images }) => !images)
      const withImages = some.filter(({ images }) => images)
      for (const group of [plain, ...withImages.map((route) => [route])]) {
        const requests = group.flatMap(requestsTo)
        const answers = await Promise.all(requests.map((request) => raw(server.url, [request], { ms: 10_000 })))
        for (const [index, answer] of answers.entries())
          assert.match(answer, /^HTTP\/1.1 408 upload_timeout/, `${requests[index]}`)
      }
      await assertUntouched()
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await server[Symbol.asyncDispose]()
    },
  }
}
