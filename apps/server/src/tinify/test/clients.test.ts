import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { noOpenssl } from '@pixelmill/engine/test/support/certificates'
import sharp from 'sharp'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { type TlsFront, tlsFront } from '../../../test/support/tls-front.ts'
import type { Database } from '../../database/database.ts'

/** The official clients of Tinify, pointed at a Pixelmill server, in the steps of their READMEs. */

let server: SharedServer
let database: Database
let front: TlsFront
const picture = await photo(400, 300).jpeg({ quality: 95 }).toBuffer()

before(async () => {
  if (noOpenssl) return
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  front = await tlsFront(server.url)
})
after(async () => {
  if (noOpenssl) return
  await front[Symbol.asyncDispose]()
  await database.close()
  await server[Symbol.asyncDispose]()
})

async function paying() {
  const account = await makeAccount(database, 'enterprise')
  return { ...account, used: async () => (await accountTotals(database, account.id)).used }
}

interface Source {
  resize(options: object): Source
  convert(options: object): Source
  transform(options: object): Source
  preserve(...names: readonly string[]): Source
  toFile(path: string): Promise<void>
  toBuffer(): Promise<Buffer>
  result(): { extension(): Promise<string>; width(): Promise<number>; size(): Promise<number> }
}

interface NodeClient {
  key: string
  readonly compressionCount: number
  validate(): Promise<void>
  fromFile(path: string): Source
  fromBuffer(bytes: Buffer): Source
  fromUrl(url: string): Source
}

/** CommonJS, and its address is no setting: it is set where it keeps it. */
function nodeClient(key: string): NodeClient {
  const require = createRequire(import.meta.url)
  const { default: Client } = require('tinify/lib/tinify/Client') as { default: Record<string, unknown> }
  Object.assign(Client, { API_ENDPOINT: front.url, CA_BUNDLE: front.certificate })
  const client = require('tinify') as NodeClient
  client.key = key
  return client
}

test("Tinify's client for Node compresses, resizes, converts and counts", { skip: noOpenssl }, async (t) => {
  const account = await paying()
  const tinify = nodeClient(account.key)
  await tinify.validate()
  assert.deepEqual([await account.used(), tinify.compressionCount], [0, 0], 'validating costs nothing, and brings the count')

  const folder = await tempFolder(t)
  const from = join(folder, 'unoptimized.jpg')
  const to = join(folder, 'optimized.jpg')
  await writeFile(from, picture)
  await tinify.fromFile(from).toFile(to)
  const optimizedMetadata = await sharp(to).metadata()
  assert.deepEqual([optimizedMetadata.format, optimizedMetadata.width, optimizedMetadata.height], ['jpeg', 400, 300])
  assert.ok((await sharp(to).toBuffer()).length < picture.length)
  assert.equal(await account.used(), 1)
  assert.equal(tinify.compressionCount, 1)

  const source = tinify.fromBuffer(picture)
  const fittedMetadata = await sharp(await source.resize({ method: 'fit', width: 150, height: 100 }).toBuffer()).metadata()
  assert.deepEqual([fittedMetadata.format, fittedMetadata.width, fittedMetadata.height], ['jpeg', 133, 100])
  const cut = await sharp(await source.resize({ method: 'cover', width: 150, height: 150 }).toBuffer()).metadata()
  assert.deepEqual([cut.width, cut.height], [150, 150])
  const scaledMetadata = await sharp(await source.resize({ method: 'scale', width: 100 }).toBuffer()).metadata()
  assert.deepEqual([scaledMetadata.width, scaledMetadata.height], [100, 75])
  const large = await sharp(await source.resize({ method: 'scale', width: 4000 }).toBuffer()).metadata()
  assert.equal(large.width, 400, 'nothing is enlarged')
  const convertedSource = source.convert({ type: ['image/webp', 'image/png'] })
  assert.equal(await convertedSource.result().extension(), 'webp')
  assert.equal(await account.used(), 7)
  assert.equal(tinify.compressionCount, 7)

  const transparent = await sharp({ create: { width: 40, height: 30, channels: 4, background: '#ff000000' } })
    .png()
    .toBuffer()
  const onWhite = tinify.fromBuffer(transparent).convert({ type: 'image/jpeg' }).transform({ background: 'white' })
  const { data } = await sharp(await onWhite.toBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.ok([...data.subarray(0, 3)].every((channel) => channel > 250))

  const ownedBytes = await sharp(picture)
    .withExif({ IFD0: { Copyright: 'Ana Sol' } })
    .toBuffer()
  const exif = (await sharp(await tinify.fromBuffer(ownedBytes).preserve('copyright', 'creation').toBuffer()).metadata()).exif
  assert.ok(exif?.includes('Ana Sol'))
})

test("Tinify's client for Node gets its own errors, and they cost nothing", { skip: noOpenssl }, async () => {
  const account = await paying()
  const tinify = nodeClient(account.key)
  const name = (expected: string) => (error: Error) => error.constructor.name === expected
  await assert.rejects(tinify.fromBuffer(Buffer.from('no image')).toBuffer(), name('ClientError'))
  await assert.rejects(tinify.fromBuffer(picture).resize({ method: 'fit', width: 1 }).toBuffer(), name('ClientError'))
  await assert.rejects(tinify.fromBuffer(picture).convert({ type: 'image/x-unknown' }).toBuffer(), name('ClientError'))
  await assert.rejects(tinify.fromUrl('http://127.0.0.1:1/private.png').toBuffer(), name('ServerError'))
  // The two uploads that were compressed before what was asked of them was refused.
  assert.equal(await account.used(), 2)
  tinify.key = `sk_${'x'.repeat(48)}`
  await assert.rejects(tinify.fromBuffer(picture).toBuffer(), name('AccountError'))
})

/** What clients send in place of POST: Python to 1.7.1, Node to 1.8.1, and those of other languages of that time. */
test('commands in the body of GET are carried out as those of POST', { skip: noOpenssl }, async () => {
  const account = await paying()
  const authorization = `Basic ${btoa(`api:${account.key}`)}`
  const shrunk = await fetch(`${server.url}/shrink`, {
    method: 'POST',
    headers: { authorization },
    body: new Uint8Array(picture),
  })
  const output = shrunk.headers.get('location') ?? assert.fail()
  const get = async (body: string, headers: Readonly<Record<string, string>> = { 'content-length': String(body.length) }) => {
    const sentRequest = request(server.url + output, {
      headers: { authorization, 'content-type': 'application/json', ...headers },
    }).end(body)
    const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
  }
  const commands = JSON.stringify({ resize: { method: 'thumb', width: 90, height: 60 }, convert: { type: 'image/JPG' } })
  for (const headers of [{ 'content-length': String(commands.length) }, { 'transfer-encoding': 'chunked' }]) {
    const { status, headers: saidHeaders, bytes } = await get(commands, headers as Record<string, string>)
    const { format, width, height } = await sharp(bytes).metadata()
    assert.deepEqual([status, saidHeaders['image-width'], format, width, height], [200, '90', 'jpeg', 90, 60])
  }
  assert.equal(await account.used(), 3)

  const wrong = await get('{"resize":{"method":"thumb","width":90}}')
  assert.deepEqual([wrong.status, wrong.headers['compression-count']], [400, '3'])
  assert.match(String(JSON.parse(wrong.bytes.toString()).message), /resize.height/)
  const { status, headers } = await fetch(server.url + output, { headers: { authorization } })
  assert.deepEqual([status, headers.get('image-width'), headers.get('compression-count')], [200, '400', '3'])
  const head = await fetch(server.url + output, { method: 'HEAD', headers: { authorization } })
  assert.deepEqual([head.status, head.headers.get('image-width')], [200, '400'])
  assert.equal(await account.used(), 3, 'without a body it is free')
})

const PYTHON = process.env.TEST_TINIFY_PYTHON ?? 'python3'
const noPython = noOpenssl || (spawnSync(PYTHON, ['-c', 'import tinify']).status === 0 ? false : `${PYTHON} cannot import tinify`)

const SCRIPT = `
import sys, tinify
endpoint, certificate, key, source, target = sys.argv[1:]
from tinify import client
client.Client.API_ENDPOINT = endpoint
import requests
send = requests.Session.request
requests.Session.request = lambda self, *args, **options: send(self, *args, **{**options, 'verify': certificate})
tinify.key = key
tinify.validate()
validated = tinify.compression_count
tinify.from_file(source).to_file(target)
resized = tinify.from_file(source).resize(method='thumb', width=90, height=60)
resized.to_file(target + '.thumb.jpg')
converted = tinify.from_buffer(open(source, 'rb').read()).convert(type='image/webp').result()
print(converted.extension, converted.width, validated, tinify.compression_count)
`

/** A folder with version 1.7.1, the last that sends its commands by GET. */
const OLD = process.env.TEST_OLD_TINIFY

test("Tinify's client for Python compresses, resizes and converts", { skip: noPython }, (t) => assertWalk(t))
test("Tinify's older client for Python does so too", { skip: noPython || (OLD ? false : 'TEST_OLD_TINIFY is not set') }, (t) =>
  assertWalk(t, { PYTHONPATH: OLD }),
)

async function assertWalk(t: TestContext, settings: NodeJS.ProcessEnv = {}): Promise<void> {
  const account = await paying()
  const folder = await tempFolder(t)
  const source = join(folder, 'a.jpg')
  const target = join(folder, 'b.jpg')
  const script = join(folder, 'walk.py')
  await writeFile(source, picture)
  await writeFile(script, SCRIPT)
  const { stdout } = await promisify(execFile)(PYTHON, [script, front.url, front.path, account.key, source, target], {
    env: { ...process.env, ...settings },
  })
  assert.equal(stdout.trim(), 'webp 400 0 5')
  assert.equal((await sharp(target).metadata()).width, 400)
  const thumb = await sharp(`${target}.thumb.jpg`).metadata()
  assert.deepEqual([thumb.width, thumb.height], [90, 60])
  assert.equal(await account.used(), 5)
}
