import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Upload } from 'tus-js-client'

interface Target {
  readonly url: string
  readonly key: string
}

/** The bytes of a file from an offset on. */
export type Source = (from: number) => Readable

export const sourceOf =
  (bytes: Buffer, piece = 64 * 1024): Source =>
  (from) =>
    Readable.from(
      (function* () {
        for (let at = from; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
      })(),
      { objectMode: false },
    )

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** The interim responses 104. */
  readonly interim: readonly Readonly<Record<string, string | string[] | undefined>>[]
}

/** How long a client waits for an interim response before it sends its body. */
const INTERIM_MS = 2_000

/** One request with a body of any size, sent after an interim response if it asks for one. @throws where the connection breaks, with the interim responses as `interim` */
export async function call(
  { url, key }: Target,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Readable,
): Promise<RawAnswer> {
  const interim: RawAnswer['interim'][number][] = []
  const sentRequest = request(url + path, { method, headers: { authorization: `Bearer ${key}`, ...headers }, agent: false })
  sentRequest.on('information', ({ statusCode, headers }) => statusCode === 104 && interim.push(headers))
  // Also after the answer.
  sentRequest.on('error', () => {})
  const answeredValues = once(sentRequest, 'response')
  try {
    if (headers['upload-draft-interop-version'] !== undefined) {
      sentRequest.flushHeaders()
      await Promise.race([once(sentRequest, 'information'), answeredValues, sleep(INTERIM_MS, undefined, { ref: false })])
    }
    if (body) body.pipe(sentRequest)
    else sentRequest.end()
    const [response] = await answeredValues
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString(), interim }
  } catch (error) {
    throw Object.assign(error as Error, { interim })
  } finally {
    body?.unpipe(sentRequest)
  }
}

/**
 * Sends a file by draft-ietf-httpbis-resumable-upload: whole, and after each interruption the rest from where the server says. Returns the
 * handle, and how often it has resumed.
 */
export async function sendByDraft(
  target: Target,
  source: Source,
  length: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly handle: string; readonly resumed: number }> {
  const all = { 'upload-draft-interop-version': '8', 'upload-complete': '?1' }
  let location: string | undefined
  for (let resumedCount = 0; ; resumedCount++) {
    assert.ok(resumedCount < 50, 'it does not end')
    try {
      if (location === undefined) {
        const first = { ...all, 'content-type': 'application/zip', 'content-length': String(length), ...headers }
        return handleOf(await call(target, 'PUT', '/api/v3/uploads', first, source(0)), resumedCount)
      }
      const askedAnswer = await call(target, 'HEAD', location)
      assert.equal(askedAnswer.status, askedAnswer.headers['upload-complete'] === '?1' ? 200 : 204)
      if (askedAnswer.headers['upload-complete'] === '?1')
        return { handle: location.split('/').at(-1) ?? '', resumed: resumedCount }
      const offset = Number(askedAnswer.headers['upload-offset'])
      const next = {
        ...all,
        'content-type': 'application/partial-upload',
        'upload-offset': String(offset),
        'content-length': String(length - offset),
      }
      return handleOf(await call(target, 'PATCH', location, next, source(offset)), resumedCount)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      const { interim = [] } = error as { readonly interim?: RawAnswer['interim'] }
      location ??= interim.map((one) => one.location).find((place) => typeof place === 'string')
    }
  }
}

function handleOf({ status, body }: RawAnswer, resumedCount: number) {
  assert.equal(status, 201, body)
  const { handle } = JSON.parse(body) as { readonly handle: string }
  return { handle, resumed: resumedCount }
}

/** Sends a file with the official client of tus. Returns the handle. */
export async function sendByTus({ url, key }: Target, file: Buffer | Readable, length: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(file as Buffer, {
    endpoint: `${url}/api/v3/tus`,
    uploadSize: length,
    ...(Buffer.isBuffer(file) ? {} : { chunkSize: 16 * 2 ** 20 }),
    headers: { authorization: `Bearer ${key}` },
    metadata: { filename: 'holiday.zip', filetype: 'application/zip' },
    retryDelays: Array.from({ length: 30 }, () => 10),
    onSuccess: () => resolve(),
    onError: reject,
  })
  upload.start()
  await promise
  return upload.url?.split('/').at(-1) ?? assert.fail('it has no address')
}

/** Where a transfer of so many bytes breaks: at random, but all in it. */
export function breaksOf(bytes: number, times: number): readonly number[] {
  const each = Math.floor(bytes / (times + 1))
  return Array.from({ length: times }, () => Math.floor(each * (0.2 + 0.75 * Math.random())))
}
