import assert from 'node:assert/strict'
import { signText } from '../../src/delivery/address.ts'
import type { ErrorBody } from './call.ts'
import { send } from './json-call.ts'

export interface Delivered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** hit, miss or stale. */
  readonly cache: string | null
  /** Where the status is an error. */
  readonly error: ErrorBody | undefined
}

export interface TestSource {
  readonly name: string
  /** Signs what follows `/i/{name}/`. */
  sign(rest: string): string
  /** GET of a signed URL, with what follows `/i/{name}/`. */
  get(rest: string, headers?: Readonly<Record<string, string>>, at?: string): Promise<Delivered>
  purge(path?: string): Promise<void>
}

/** Saves a new source, and signs with its secret. */
export async function saveSource(url: string, token: string, name: string, settings: object): Promise<TestSource> {
  const savedAnswer = await send<{ secret: string }>(url, `PUT /api/user/sources/${name}`, { token, body: settings })
  assert.equal(savedAnswer.status, 200, JSON.stringify(savedAnswer.body))
  const secret = Buffer.from(savedAnswer.body.secret, 'base64url')
  assert.equal(secret.length, 32)
  const sign = (rest: string) => signText(`/i/${name}/${rest}`, secret)
  return {
    name,
    sign,
    get: (rest, headers, at = url) => getUrl(at + sign(rest), headers),
    async purge(path) {
      const body = path === undefined ? {} : { path }
      assert.equal((await send(url, `POST /api/user/sources/${name}/purge`, { token, body })).status, 204)
    },
  }
}

export async function getUrl(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Delivered> {
  const response = await fetch(url, { headers, redirect: 'manual' })
  const bytes = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    cache: response.headers.get('x-cache'),
    error: response.status >= 400 ? (JSON.parse(bytes.toString()) as ErrorBody) : undefined,
  }
}
