import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { Pixelmill, PixelmillError } from 'pixelmill-client/src/index'
import sharp from 'sharp'
import { type AiServer, startAiServer } from '../support/ai-server.ts'
import { says } from '../support/fake-vision.ts'
import { listen } from '../support/listener.ts'
import { unzip } from '../support/unzip.ts'

/** The package of client/ against a server. */

const root = join(import.meta.dirname, '../../../..')
const ALT = { altText: 'A red bicycle.', decorative: false, textInImage: '', confidence: 0.9 }
let server: AiServer
let pixelmill: Pixelmill
before(async () => {
  server = await startAiServer({ platform: says(JSON.stringify(ALT)) })
  pixelmill = new Pixelmill({ url: `${server.url}/`, key: server.key })
})
after(() => server[Symbol.asyncDispose]())

const picture = await photo(300, 200).jpeg().toBuffer()
const isRefusedWith = (code: string) => (error: unknown) => error instanceof PixelmillError && error.code === code

describe('calls', () => {
  test('convert takes files of every kind, and answers the image with its facts', async () => {
    const bytes = new Uint8Array(picture)
    const inputs = [picture, bytes, bytes.buffer, new Blob([bytes]), new File([bytes], 'a.jpg'), new Blob([bytes]).stream()]
    for (const input of inputs) {
      const {
        format,
        type,
        width,
        height,
        bytes: madeBytes,
        headers,
      } = await pixelmill.convert(input, { format: 'webp', width: 30 })
      assert.deepEqual([format, type, width, height], ['webp', 'image/webp', 30, 20])
      assert.equal((await sharp(madeBytes).metadata()).format, 'webp')
      assert.equal(headers.get('x-output-size'), String(madeBytes.length))
    }
  })

  test('an address is fetched by the server', async () => {
    await using pictures = await listen((_, response) => response.end(picture))
    const address = new URL('/a.jpg', pictures.url)
    const { width, height } = await pixelmill.convert(address, { format: 'webp', width: 30 })
    assert.deepEqual([width, height], [30, 20])
    const [image] = await pixelmill.images(address, { outputs: [{ format: 'jpeg' }] })
    assert.equal(image?.width, 300)
  })

  test('convert sends points, booleans and fields that are left out as forms have them', async () => {
    const options = {
      width: 40,
      height: 40,
      fit: 'cover',
      gravity: { x: 0.3, y: 0.6 },
      grayscale: true,
      quality: undefined,
    } as const
    const { quality: _unset, ...rest } = options
    assert.equal((await pixelmill.convert(picture, rest)).height, 40)
  })

  test('images answers one image, or several by the names of their outputs', async () => {
    const [one, ...none] = await pixelmill.images(picture, { outputs: [{ name: 'only', format: 'png' }] })
    assert.deepEqual([one?.name, one?.format, one?.width, none], ['only', 'png', 300, []])
    const outputs = [
      { name: 'a', format: 'webp' as const, steps: [{ resize: { width: 50 } }] },
      { name: 'b', format: 'jpeg' as const, steps: [{ watermark: { image: 'mark' } }] },
    ]
    const mark = await solid(9, 9, '#ff0000').png().toBuffer()
    const several = await pixelmill.images(picture, { outputs }, { files: { mark } })
    assert.deepEqual(
      several.map(({ name, type, width, height }) => [name, type, width, height]),
      [
        ['a', 'image/webp', 50, 33],
        ['b', 'image/jpeg', 300, 200],
      ],
    )
    for (const { bytes, width } of several) assert.equal((await sharp(bytes).metadata()).width, width)
  })

  test('prepare gives the images of a recipe, and what the source is', async () => {
    const { pictures, source } = await pixelmill.prepare(picture, { outputs: [{ steps: [{ resize: { width: 30 } }] }] })
    assert.deepEqual(
      pictures.map(({ name, width, height }) => [name, width, height]),
      [['image', 30, 20]],
    )
    const { width, height, altText, blurHash } = source
    assert.deepEqual([width, height, altText], [300, 200, ALT.altText])
    assert.match(String(blurHash), /^.{20,}$/)
  })

  test('accept decides what auto is', async () => {
    const recipe = { outputs: [{ format: 'auto' as const }] }
    const [image] = await pixelmill.images(picture, recipe, { accept: 'image/avif' })
    assert.equal(image?.format, 'avif')
  })

  test('info, alternative texts and backgrounds', async () => {
    assert.deepEqual(await pixelmill.info(picture, ['format', 'width']), { format: 'jpeg', width: 300 })
    assert.equal((await pixelmill.info(picture)).height, 200)
    const { results } = await pixelmill.altText([picture, picture], { language: 'de' })
    assert.deepEqual(
      results.map((result) => result.status === 'ok' && result.altText),
      [ALT.altText, ALT.altText],
    )
    const cutOut = await sharp({ create: { width: 120, height: 120, channels: 3, background: '#fff' } })
      .composite([{ input: await solid(40, 40, '#c01010').png().toBuffer() }])
      .png()
      .toBuffer()
    assert.equal((await pixelmill.removeBackground(cutOut, { format: 'webp' })).format, 'webp')
  })

  test('a batch of files by their paths, and of a ZIP', async () => {
    const seenNumbers: number[] = []
    const onProgress = ({ progress }: { progress: { done: number } }) => seenNumbers.push(progress.done)
    const batch = await pixelmill
      .batch({ 'ä/one.jpg': picture, 'two.jpg': new Blob([new Uint8Array(picture)]) }, { format: 'webp' })
      .wait({ onProgress })
    assert.equal(batch.status.status, 'completed')
    assert.equal(seenNumbers.at(-1), 2)
    const zip = await batch.download()
    const names = Object.keys(await unzip(Buffer.from(zip)))
    assert.ok(names.includes('ä/one.webp') && names.includes('two.webp'), names.join())
    const again = await pixelmill.batch(zip, { recipe: { outputs: [{ format: 'png' }] } })
    await again.wait()
    await again.delete()
    await assert.rejects(again.refresh(), isRefusedWith('batch_not_found'))
  })

  test('errors have their code, their issues and the request', async () => {
    await assert.rejects(pixelmill.convert(picture, { width: 0 }), (error) => {
      assert.ok(error instanceof PixelmillError)
      assert.deepEqual(
        [error.code, error.status, error.issues[0]?.path, error.isTemporary],
        ['invalid_params', 400, ['width'], false],
      )
      assert.match(String(error.requestId), /^req_/)
      return true
    })
    await assert.rejects(
      new Pixelmill({ url: server.url, key: 'sk_wrong' }).info(picture),
      isRefusedWith('missing_or_invalid_api_key'),
    )
    await assert.rejects(pixelmill.batch({ 'a.txt': new Uint8Array([1]) }), isRefusedWith('archive_has_no_images'))
  })

  test('a call ends when its signal does', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(pixelmill.convert(picture, { signal }), /enough/)
    const batch = await pixelmill.batch({ 'a.jpg': picture })
    await assert.rejects(batch.wait({ signal }), /enough/)
  })
})

interface Script {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the connection without an answer, or after a part of it. */
  readonly breaks?: true | 'off'
}

/** A server that answers by a script, and what it was asked. */
async function scriptedClient(...answers: readonly Script[]) {
  const askedMessages: IncomingMessage[] = []
  const http = createServer((request, response) => {
    const { status = 200, headers = {}, body = '{}', breaks } = answers[askedMessages.length] ?? {}
    askedMessages.push(request)
    if (breaks === 'off') response.writeHead(status, headers).write(body, () => request.socket.destroy())
    else if (breaks) request.socket.destroy()
    else request.resume().once('end', () => response.writeHead(status, headers).end(body))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { asked: askedMessages, url, [Symbol.asyncDispose]: async () => void http.close().closeAllConnections() }
}

const fault = (status: number, statusMessage: string, headers = {}): Script => ({
  status,
  headers,
  body: JSON.stringify({ statusMessage, message: 'No.' }),
})

describe('retries', () => {
  test('the same request is sent again, with the same Idempotency-Key', async () => {
    await using broken = await scriptedClient({ breaks: true }, fault(503, 'server_busy'), { body: '{"format":"png"}' })
    assert.deepEqual(await new Pixelmill({ url: broken.url }).info(picture), { format: 'png' })
    const keys = new Set(broken.asked.map(({ headers }) => headers['idempotency-key']))
    assert.deepEqual([broken.asked.length, keys.size], [3, 1])
  })

  test('an answer that breaks off is asked for again', async () => {
    await using broken = await scriptedClient(
      { headers: { 'content-length': '99' }, body: '{', breaks: 'off' },
      { body: '{"format":"png"}' },
    )
    assert.deepEqual(await new Pixelmill({ url: broken.url }).info(picture), { format: 'png' })
    assert.equal(broken.asked.length, 2)
  })

  test('Retry-After is waited for', async () => {
    await using busy = await scriptedClient(fault(429, 'rate_limited', { 'retry-after': '1' }), {})
    const start = performance.now()
    await new Pixelmill({ url: busy.url }).info(picture)
    assert.ok(performance.now() - start >= 990)
  })

  for (const [what, script] of Object.entries({
    'a spent month': fault(429, 'monthly_limit_exceeded'),
    'an image that no renderer survives': fault(500, 'conversion_failed'),
    'a wrong parameter': fault(400, 'invalid_params'),
    'a server that asks for an hour': fault(503, 'server_busy', { 'retry-after': '3600' }),
  })) {
    test(`${what} is no reason to try again`, async () => {
      await using refusing = await scriptedClient(script)
      await assert.rejects(new Pixelmill({ url: refusing.url }).info(picture), PixelmillError)
      assert.equal(refusing.asked.length, 1)
    })
  }

  test('there are as many tries as were asked for', async () => {
    await using away = await scriptedClient({ breaks: true }, { breaks: true }, { breaks: true })
    await assert.rejects(new Pixelmill({ url: away.url, tries: 2 }).info(picture), isRefusedWith('unreachable'))
    assert.equal(away.asked.length, 2)
  })

  test('the page of a proxy is no answer', async () => {
    await using proxy = await scriptedClient({ status: 404, body: '<html>' })
    await assert.rejects(new Pixelmill({ url: proxy.url }).info(picture), isRefusedWith('not_understood'))
  })
})

describe('the lines of the documents run', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-'))
    await writeFile(join(folder, 'photo.jpg'), picture)
  })
  after(() => rm(folder, { recursive: true }))

  async function linesOf(path: string): Promise<string> {
    const text = await readFile(join(root, path), 'utf8')
    const lines = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code).join('\n')
    await writeFile(
      join(folder, 'main.mjs'),
      lines.replaceAll("'pixelmill-client'", `'${join(root, 'clients/typescript/src/index.ts')}'`),
    )
    const env = { ...process.env, PIXELMILL_URL: server.url, PIXELMILL_KEY: server.key, SOURCE_SECRET: 'c2VjcmV0' }
    const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: folder, env })
    const { width, format } = await sharp(join(folder, 'photo.avif')).metadata()
    assert.deepEqual([width, format], [800, 'heif'])
    await rm(join(folder, 'photo.avif'))
    return stdout
  }

  test('of its README', async () => {
    const stdout = await linesOf('clients/typescript/README.md')
    assert.match(stdout, /^300 image\/jpeg\n/)
    assert.match(stdout, /100 %\ninvalid_params \[ 'width' \]\n$/)
  })

  test('of the guide to clients', async () => {
    assert.equal(await linesOf('docs/clients.md'), '')
  })
})
